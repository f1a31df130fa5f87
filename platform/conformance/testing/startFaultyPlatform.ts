import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '#shared/clock.ts';
import { conformanceCommand } from '../conformanceCommand.ts';
import { type ReportRow, runConformance } from '../runConformance.ts';
import { runProgram } from '../../testing/program.ts';
import { testPlatform } from '../../testing/testPlatform.ts';

/** An answer of the platform to a sign-in. */
export interface SignInAnswer {
  readonly status: number;
  readonly body: string;
}

/** A connection through the faulty platform: its number from 0, and ways to send and to close. */
export interface FaultyConnection {
  readonly number: number;
  readonly account: string;
  send(data: string): void;
  close(code: number, reason: string): void;
}

type Connections = readonly FaultyConnection[];
/** Returns the frames that are sent in place of one. */
type ChangeFrame = (frame: string, connection: FaultyConnection, all: Connections) => readonly string[];

/** What the platform does wrong. A part that is missing is right. */
export interface Fault {
  readonly signIn?: (body: string, answer: SignInAnswer) => SignInAnswer;
  readonly toClient?: ChangeFrame;
  readonly toPlatform?: ChangeFrame;
  readonly onClientClose?: (connection: FaultyConnection, all: Connections) => void;
  readonly closeReason?: (reason: string) => string;
  readonly ignoresPings?: boolean;
}

const textOf = (data: RawData) => (Buffer.isBuffer(data) ? data.toString() : '');

/** Starts a server in front of a platform that is right; it makes one fault. */
async function startFaultyPlatform(rightUrl: string, fault: Fault) {
  const server = createServer((request, response) => void forward(request, response));
  const sockets = new WebSocketServer({ server, autoPong: fault.ignoresPings !== true });
  const all: FaultyConnection[] = [];

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const headers = { 'content-type': 'application/json' };
    const right = await fetch(`${rightUrl}${request.url}`, { method: 'POST', headers, body });
    const answer = { status: right.status, body: await right.text() };
    const changed = fault.signIn?.(body, answer) ?? answer;
    response.writeHead(changed.status).end(changed.body);
  }
  sockets.on('connection', (socket, { url = '' }) => {
    const upstream = new WebSocket(rightUrl.replace('http:', 'ws:') + url);
    // A client may leave before this connection is open.
    const opened = once(upstream, 'open').catch(() => null);
    const [send, close] = [socket.send.bind(socket), socket.close.bind(socket)];
    const connection: FaultyConnection = { number: all.length, account: url, send, close };
    all.push(connection);
    upstream.on('message', (data) => {
      const frame = textOf(data);
      for (const sent of fault.toClient?.(frame, connection, all) ?? [frame]) connection.send(sent);
    });
    upstream.on('close', (code, reason) => {
      const words = reason.toString();
      socket.close(code === 1006 ? 1011 : code, fault.closeReason?.(words) ?? words);
    });
    socket.on('message', (data) => {
      const received = textOf(data);
      const frames = fault.toPlatform?.(received, connection, all) ?? [received];
      void opened.then((open) => open && frames.forEach((frame) => upstream.send(frame)));
    });
    socket.on('close', () => {
      upstream.terminate();
      fault.onClientClose?.(connection, all);
    });
    for (const one of [socket, upstream]) one.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    apiUrl: `http://127.0.0.1:${Object(server.address()).port}`,
    stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The example of a platform, which is right. */
export const EXAMPLE = resolve(import.meta.dirname, '../../../examples/platform/platform.mjs');

/** Starts the example; resolves with its address. */
export async function startExample(): Promise<string> {
  return (await runProgram(EXAMPLE, ['0']).firstLine).slice('The platform is ready at '.length);
}

/** Runs checks, all of them when `only` is `null`, on a platform that makes one fault. */
export async function testFault(
  rightUrl: string,
  options: { fault: Fault } & Pick<Parameters<typeof runConformance>[0], 'only' | 'timeoutMs'>,
): Promise<readonly ReportRow[]> {
  const { apiUrl, stop } = await startFaultyPlatform(rightUrl, options.fault);
  const rows = await runConformance({
    ...options,
    apiUrl,
    platformUrl: apiUrl.replace('http:', 'ws:'),
    clock: systemClock(globalThis),
    quietMs: 300,
    say: [],
    login: null,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  stop();
  return rows;
}

/** Runs the command as the program does. */
export async function runCommand(argv: readonly string[], signal = new AbortController().signal) {
  const written = { out: '', err: '' };
  const status = await conformanceCommand(argv, {
    out: (words) => void (written.out += words),
    err: (words) => void (written.err += words),
    isOutColored: false,
    isErrTerminal: false,
    clock: systemClock(globalThis),
    signal,
  });
  return { status, ...written };
}

/** Starts the built-in platform with a real clock; stops it with the test. */
export const startBuiltIn = async () =>
  (await testPlatform(undefined, { clock: systemClock(globalThis) })).apiUrl;
