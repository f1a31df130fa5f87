import { once } from 'node:events';
import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type RequestOptions as HttpOptions, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Credentials } from '#shared/protocol/credentials.ts';
import type { Message, Update } from '#shared/protocol/update.ts';
import { foldedFrames, observedClock, recordingLogger } from './observers.ts';
import { PLATFORM_FILE, type StartOptions, startPlatform } from '../startPlatform.ts';

/** The credentials of an account of the tests. */
export const ADA = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' } as const;

/** Creates a temporary folder; removes it at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-platform-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type TestOptions = Omit<StartOptions, 'dataFile' | 'port' | 'logger' | 'passwordCost'>;

/** Starts a platform on any free port with a virtual clock, or the clock of the options; closes it at the end of the test. */
export async function testPlatform(dataFile?: string, options: TestOptions = {}) {
  const path = dataFile ?? join(await temporaryFolder(), PLATFORM_FILE);
  const clock = observedClock();
  const { logger, ...log } = recordingLogger();
  const fixed = { dataFile: path, port: 0, logger, passwordCost: 1024 };
  const running = await startPlatform({ ...fixed, clock, ...options });
  onTestFinished(() => running.close());
  return {
    ...running,
    clock,
    dataFile: path,
    ...log,
    /** Registers Ada, or the person with these fields; resolves with the account identifier. */
    register: async (fields: Partial<Credentials> = {}) =>
      (await postAuth(running.apiUrl, { ...ADA, ...fields })).body,
    connect: (account: string) => connect(running.platformUrl, account),
  };
}

/** A client with a real socket and the app's decoder and fold. */
export type Client = ReturnType<typeof clientOf>;

/** Connects; resolves when the snapshot arrives, or when the socket closes without one. */
export async function connect(platformUrl: string, account: string): Promise<Client> {
  const client = clientOf(new WebSocket(`${platformUrl}/${encodeURIComponent(account)}`));
  await Promise.race([client.until(({ updates }) => updates().length > 0), client.closed]);
  return client;
}

function clientOf(socket: WebSocket) {
  const { updates, take, conversation } = foldedFrames();
  socket.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    take(isBinary || !Buffer.isBuffer(data) ? null : data.toString());
    socket.emit('updated');
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const send = (outgoing: unknown) => socket.send(JSON.stringify(outgoing));
  const seen = {
    updates: (): readonly Update[] => updates,
    conversation,
    newest: (): Message | undefined => conversation().messages.at(-1),
  };
  return {
    ...seen,
    socket,
    closed,
    /** Resolves when the condition holds; checks it after each update. */
    async until(condition: (client: typeof seen) => boolean): Promise<void> {
      while (!condition(seen)) await once(socket, 'updated');
    },
    send,
    sendText: (text: string) => send({ category: 'text', text, blob: null }),
  };
}

type RequestOptions = Pick<HttpOptions, 'method' | 'headers'> & { readonly body?: string };

/** Sends a request with any headers, also `Host` and `Origin`, which `fetch` does not allow. */
export async function request(url: string, { body = '', ...options }: RequestOptions = {}) {
  const asked = httpRequest(url, { agent: false, ...options }).end(body);
  const [response]: IncomingMessage[] = await once(asked, 'response');
  if (response === undefined) throw new Error('there is no response');
  const { statusCode: status = 0, headers } = response;
  return { status, type: headers['content-type'], body: await textOf(response) };
}

/** Sends `POST /auth` with these fields as JSON, and these header fields. */
export const postAuth = (apiUrl: string, fields: unknown, headers: OutgoingHttpHeaders = {}) =>
  request(`${apiUrl}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });

/** Lets every write of SQLite fail as on a full disk, until the returned function is called, or the test ends. */
export function fillDisk(): () => void {
  const { writeSync } = fs;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    // SQLite names the position; nothing else does.
    if (args.length < 5) return Reflect.apply(writeSync, fs, args);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  const restore = (): void => {
    spy.mockRestore();
  };
  onTestFinished(restore);
  return restore;
}
