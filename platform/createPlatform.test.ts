import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fillDisk } from './testing/testPlatform.ts';
import { request } from './testing/testPlatform.ts';
import { type TestPlatform, testPlatform } from './testing/testPlatform.ts';

const FOREIGN = { status: 403, body: 'Only programs on this machine may enter.' };

const post = ({ apiUrl }: TestPlatform, headers: Record<string, string>) =>
  request(`${apiUrl}/auth`, { method: 'POST', headers });

/** Resolves with the status of a refused upgrade and its `Connection` header, or with 101. */
const upgrade = (url: string, headers: Record<string, string>) =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, { statusCode, headers: { connection } }) =>
      resolve(`${statusCode}, ${connection}`),
    );
    socket.on('open', () => resolve(101));
  });

describe('the check of Host and Origin', () => {
  test('refuses a request with the Origin of a web page', async () => {
    const platform = await testPlatform();
    expect(await post(platform, { origin: 'https://example.org' })).toMatchObject(FOREIGN);
    expect(await post(platform, { origin: 'null' })).toMatchObject(FOREIGN);
    expect(await post(platform, { origin: `http://127.0.0.1:${platform.port + 1}` })).toMatchObject(FOREIGN);
  });

  test('refuses a request to another Host', async () => {
    const platform = await testPlatform();
    expect(await post(platform, { host: `rebound.example.org:${platform.port}` })).toMatchObject(FOREIGN);
    expect(await post(platform, { host: '127.0.0.1' })).toMatchObject(FOREIGN);
  });

  test('refuses a request with two Host headers with 400', async () => {
    const { port } = await testPlatform();
    const socket = connect(port, '127.0.0.1');
    const own = `127.0.0.1:${port}`;
    socket.write(`GET /x HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 400 [^]*A request has one Host header and names a path\.$/,
    );
  });

  test('accepts its own Host and Origin, by number or name', async () => {
    const platform = await testPlatform();
    const own = `localhost:${platform.port}`;
    expect((await post(platform, { host: own, origin: `http://${own}` })).status).toBe(400);
    expect((await post(platform, {})).status).toBe(400);
  });

  test('refuses an upgrade from a web page or to another Host, and closes its connection', async () => {
    const platform = await testPlatform();
    const url = `${platform.platformUrl}/${await platform.register()}`;
    expect(await upgrade(url, { origin: 'https://example.org' })).toBe('403, close');
    expect(await upgrade(url, { host: 'rebound.example.org' })).toBe('403, close');
    expect(await upgrade(url, {})).toBe(101);
  });
});

const OK = { status: 200, body: '{"status":"ok"}' };
const FULL = { status: 503, body: '{"status":"The disk cannot be written."}' };

describe('GET /healthz', () => {
  test('answers 200 before the first account, and with one', async () => {
    const platform = await testPlatform();
    const health = () => request(`${platform.apiUrl}/healthz`);
    expect(await health()).toMatchObject(OK);
    await platform.register();
    platform.clock.advance(1000);
    expect(await health()).toMatchObject(OK);
  });

  test('answers 503 while the disk cannot be written, although no message arrives, and checks once a second', async () => {
    const platform = await testPlatform();
    const health = () => request(`${platform.apiUrl}/healthz`);
    await platform.register();
    const makeRoom = fillDisk();
    expect(await health()).toMatchObject(FULL);
    platform.clock.advance(1000);
    expect(await health()).toMatchObject(FULL);
    makeRoom();
    expect(await health()).toMatchObject(FULL);
    platform.clock.advance(1000);
    expect(await health()).toMatchObject(OK);
  });

  test.each(['healthz', 'metrics'])('refuses /%s to a web page and on another Host', async (path) => {
    const { apiUrl } = await testPlatform();
    const url = `${apiUrl}/${path}`;
    expect((await request(url, { headers: { origin: 'https://example.org' } })).status).toBe(403);
    expect((await request(url, { headers: { host: 'rebound.example.org' } })).status).toBe(403);
  });

  test('takes no socket on the names of these calls', async () => {
    const platform = await testPlatform();
    for (const path of ['healthz', 'metrics']) expect((await platform.connect(path)).updates()).toEqual([]);
  });
});
