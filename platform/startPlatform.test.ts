import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { Server, connect as connectSocket, createServer } from 'node:net';
import { dirname } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '#shared/clock.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { startEndpointStub } from './endpoint/testing/startEndpointStub.ts';
import { ListenError, PLATFORM_PORT, startPlatform } from './startPlatform.ts';
import { PlatformDatabase, createDatabase } from './storage/platformDatabase.ts';
import { DamagedFileError } from './storage/platformFile.ts';
import { ADA, fillDisk, postAuth, request, temporaryFolder } from './testing/testPlatform.ts';
import { recordingLogger } from './testing/observers.ts';
import { type Client, testPlatform } from './testing/testPlatform.ts';

const logger = pino({ level: 'silent' });
const dataFile = async () => `${await temporaryFolder()}/platform.sqlite`;

test('takes the next free port when the default one is taken, and rejects with its number when a named one is', async () => {
  const blocker = createServer();
  blocker.on('error', () => undefined);
  onTestFinished(() => void blocker.close());
  // This test takes the port, unless another program has it already.
  blocker.listen(PLATFORM_PORT, '127.0.0.1');
  await Promise.race([once(blocker, 'listening'), once(blocker, 'error')]).catch(() => undefined);
  const log = recordingLogger();
  const { port, close } = await startPlatform({ dataFile: await dataFile(), logger: log.logger });
  onTestFinished(close);
  expect(log.logged()).toContain(`"port":${port},"msg":"the platform listens"`);
  expect(port).toBeGreaterThan(PLATFORM_PORT);
  expect(port).toBeLessThan(PLATFORM_PORT + 100);
  // It listens on one address alone.
  await expect(once(connectSocket(port, '127.0.0.2'), 'connect')).rejects.toThrow('ECONNREFUSED');
  const stored = await dataFile();
  createDatabase(stored).close();
  const starting = startPlatform({ dataFile: stored, port, logger });
  await expect(starting).rejects.toThrow(ListenError);
  await expect(starting).rejects.toThrow(`port ${port} is taken`);
  expect(await readdir(dirname(stored))).toEqual(['platform.sqlite']);
  let code = '';
  const listening = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    this.emit('error', Object.assign(new Error(), { code }));
    return this;
  });
  onTestFinished(() => listening.mockRestore());
  const said: string[] = [];
  for (code of ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT'])
    for (const options of [{ port: 80 }, {}]) {
      const tried = startPlatform({ dataFile: await dataFile(), logger, ...options });
      await tried.catch((error: unknown) => said.push(`${code}: ${String(error)}\n`));
    }
  await expect(said.join('')).toMatchFileSnapshot('testing/cannotListen.txt');
});

test('terminates the connection of a peer that does not answer the close within a second', async () => {
  const platform = await testPlatform();
  (await platform.connect(await platform.register())).socket.pause();
  const closing = platform.close();
  await platform.clock.untilDue(1000);
  platform.clock.advance(1000);
  await expect(closing).resolves.toBeUndefined();
});

test.skipIf(!CAN_MOUNT)(
  'starts on a full disk, says so, shows what is stored, and stores again when there is room (skipped where no disk can be mounted)',
  async () => {
    const { path, fill, free } = smallDisk(1024);
    const file = `${path}/platform.sqlite`;
    const before = await testPlatform(file, { ownerSecret: 'of-the-owner' });
    const account = await before.register();
    await before.close();
    fill();
    const platform = await testPlatform(file, { ownerSecret: 'of-the-owner' });
    await platform.clock.untilDue();
    expect(platform.logged()).toContain('owner file cannot be written');
    expect(platform.logged()).toContain('messages cannot be written');
    expect((await postAuth(platform.apiUrl, { ...ADA, name: '' })).body).toBe(account);
    const client = await platform.connect(account);
    const modifiers = () => client.conversation().messages.map(({ modifier }) => modifier);
    expect(modifiers()).toEqual(['admin', 'admin']);
    expect(client.newest()?.content?.[0]?.text).toMatch(/^Messages cannot be stored now: the disk is full/);
    client.sendText('kept in memory');
    free();
    platform.clock.advance(1000);
    await client.until(({ newest }) => newest()?.modifier === 'client');
    expect(modifiers()).toEqual(['admin', 'client']);
  },
);

/** Resolves with the status of an upgrade, and the `Connection` header of a refused one. */
async function upgrade(url: string, headers: Record<string, string>) {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => undefined);
  const refused = once(socket, 'unexpected-response');
  const [, response] = await Promise.race([refused, once(socket, 'open')]);
  return response === undefined ? '101' : `${response.statusCode}, ${response.headers.connection}`;
}

test('refuses a request and an upgrade with the Origin of a web page or to another Host; answers in words what is no request of a client, and forbids caches for its state', async () => {
  const { apiUrl, platformUrl, port, register } = await testPlatform();
  const foreign = { status: 403, body: 'Only programs on this machine may enter.' };
  for (const headers of [
    { origin: 'https://example.org' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { host: `rebound.example.org:${port}` },
    { host: '127.0.0.1' },
  ]) {
    expect(await request(`${apiUrl}/auth`, { method: 'POST', headers })).toMatchObject(foreign);
    for (const path of ['healthz', 'metrics'])
      expect((await request(`${apiUrl}/${path}`, { headers })).status).toBe(403);
  }
  const url = `${platformUrl}/${await register()}`;
  expect(await upgrade(url, { origin: 'https://example.org' })).toBe('403, close');
  expect(await upgrade(url, { host: 'rebound.example.org' })).toBe('403, close');
  expect(await upgrade(url, {})).toBe('101');
  const headers = { 'content-type': 'application/json' };
  const post = (body: string) => request(`${apiUrl}/auth`, { method: 'POST', headers, body });
  expect(await post(' '.repeat(5000))).toMatchObject({ status: 413, body: 'The request is too large.' });
  expect(await post('{')).toMatchObject({ status: 400, body: 'The request cannot be read.' });
  expect(await request(`${apiUrl}/what/else`)).toMatchObject({ status: 404, body: 'There is nothing here.' });
  for (const path of ['healthz', 'metrics'])
    expect((await fetch(`${apiUrl}/${path}`)).headers.get('cache-control')).toBe('no-store');
});

test('answers 503 to GET /healthz while the disk cannot be written, although no message arrives, and checks once a second', async () => {
  const platform = await testPlatform();
  const health = () => request(`${platform.apiUrl}/healthz`);
  await platform.register();
  const makeRoom = fillDisk();
  const full = { status: 503, body: '{"status":"The disk cannot be written."}' };
  expect(await health()).toMatchObject(full);
  makeRoom();
  expect(await health()).toMatchObject(full);
  platform.clock.advance(1000);
  expect(await health()).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  fillDisk();
  platform.clock.advance(60_000);
  expect(await health()).toMatchObject(full);
});

const SIGN_IN = { ...ADA, name: '' };

test('says at a sign-in that the file was damaged and renamed, the same for every email', async () => {
  const before = await testPlatform();
  await before.register();
  await before.close();
  await writeFile(before.dataFile, (await readFile(before.dataFile)).fill(0xff, 4096, 3 * 4096));
  const { apiUrl, register } = await testPlatform(before.dataFile);
  const body =
    'Wrong email or password. The platform’s file was damaged: it is kept as platform.sqlite.corrupt-1, and its accounts must register again.';
  expect(await postAuth(apiUrl, SIGN_IN)).toMatchObject({ status: 401, body });
  expect(await postAuth(apiUrl, { ...SIGN_IN, email: 'bob@example.org' })).toMatchObject({ body });
  expect(await register()).toMatch(/^[\w-]{32}$/);
  expect(await register()).toBe('That email is already registered.');
});

test('answers a sign-in and a socket in words while the file is damaged, and continues', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const [client, other] = [await platform.connect(account), await platform.connect(account)];
  const reading = vi.spyOn(PlatformDatabase.prototype, 'read').mockImplementation(() => {
    throw new DamagedFileError();
  });
  const words = 'The platform’s file is damaged. Start Parley again: it keeps the file and begins a new one.';
  expect(await postAuth(platform.apiUrl, SIGN_IN)).toMatchObject({ status: 503, body: words });
  expect(await (await platform.connect('another')).closed).toEqual({ code: 1013, reason: words });
  other.sendText('lost');
  expect(await other.closed).toEqual({ code: 1013, reason: words });
  reading.mockThrow(Object.assign(new Error('secret'), { code: 'EIO' }));
  const failed = { status: 500, body: 'The platform has failed. Try again.' };
  expect(await postAuth(platform.apiUrl, SIGN_IN)).toMatchObject(failed);
  expect(platform.logged()).toContain('{"level":50,"code":"EIO","msg":"a request failed"}\n');
  reading.mockRestore();
  client.sendText('hello');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  await platform.close();
  expect(platform.clock.nextDue()).toBeUndefined();
});

test('drops an unused conversation from memory, and loads it again', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const before = await platform.connect(account);
  before.sendText('stream');
  await before.until(({ newest }) => newest()?.modifier === 'client');
  before.socket.close(1000, 'logout');
  await before.closed;
  platform.clock.advance(600_001);
  const bob = await platform.register({ email: 'bob@example.org' });
  const first = await platform.connect(bob);
  platform.clock.advance(600_001);
  (await platform.connect(bob)).sendText('hi');
  await first.until(({ newest }) => newest()?.modifier === 'client');
  const after = await platform.connect(account);
  expect(after.conversation().messages.at(-1)).toMatchObject({ modifier: 'ai', context: 'Parley' });
  after.sendText('more');
  await after.until(({ newest }) => newest()?.modifier === 'client');
});

/** Sends a text; resolves with the label and the texts of its answer when it has ended. */
async function ask(client: Client, question: string): Promise<readonly unknown[]> {
  const known = new Set(client.conversation().messages.map(({ id }) => id));
  client.sendText(question);
  await client.until(({ newest }) => {
    const { modifier, id, context } = newest() ?? {};
    return modifier !== 'client' && !known.has(id) && context?.endsWith('…') === false;
  });
  const { context, content = [] } = client.newest() ?? {};
  return [context, ...content.map(({ text }) => text).filter((text) => text !== '')];
}

test('answers with the endpoint of the settings, cuts an answer off before it closes with 1001 and without a reason, keeps accounts and conversations after the restart, and shows no password and no key', async () => {
  const before = new Set(process.listeners('exit'));
  const key = 'sk-a-very-secret-key';
  const stub = await startEndpointStub({ key });
  onTestFinished(() => stub.stop());
  const assistant = { url: stub.url, model: null, key, prompt: 'Be brief.' };
  const start = (file?: string) => testPlatform(file, { assistant, clock: systemClock(globalThis) });
  const platform = await start();
  const account = await platform.register();
  const client = await platform.connect(account);
  stub.next({ steps: ['They greet', ' me.\n</th', 'ink>', '\n', 'Hello'] });
  expect(await ask(client, 'Who am I?')).toEqual(['stub-model', 'They greet me.\n', 'Hello']);

  stub.next({ steps: ['Once upon', { hold: true }] });
  client.sendText('A story');
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  await platform.close();
  expect(process.listeners('exit').filter((listener) => !before.has(listener))).toEqual([]);
  expect(await client.closed).toEqual({ code: 1001, reason: '' });
  expect(await readFile(platform.dataFile, 'utf8')).not.toContain(ADA.password);
  const cutOff = { context: 'stub-model · cut off', content: [{ text: 'Once upon' }] };
  expect(client.newest()).toMatchObject(cutOff);

  stub.next({ steps: ['a time.'] });
  const later = await start(platform.dataFile);
  expect((await postAuth(later.apiUrl, SIGN_IN)).body).toBe(account);
  const again = await later.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  expect(await ask(again, 'continue')).toEqual(['stub-model', 'a time.']);
  const { messages } = Object((await stub.request(2)).json);
  const texts = messages.map(({ content }: { content: string }) => content);
  expect(texts.slice(0, -1)).toEqual(['Be brief.', 'Who am I?', 'Hello', 'A story', 'Once upon']);
  later.assistant.set({ ...assistant, key: `${key}-wrong` });
  expect(await ask(again, 'again')).toEqual(['', expect.stringMatching(/does not accept the key \(401\)/)]);
  const logged = platform.logged() + later.logged();
  expect(JSON.stringify(again.conversation()) + logged).not.toContain('secret');
  expect(logged).toContain('"outcome":"unauthorized"');
  expect(logged).not.toMatch(/story|Once upon/);
});
