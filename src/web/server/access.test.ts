import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Agent } from 'node:http';
import http, { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openRawConnection } from '#tests/builders/openRawConnection.ts';
import { BRIDGE_PATH, bridgeProtocols } from '../bridge/bridge.ts';
import { Resume } from './resume.ts';
import { type Server, startServer } from './webServer.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(port: number | null = 0): Promise<Server> {
  const server = await startServer(
    {
      random: randomBytes,
      connect: () => ({ onMessage: () => {}, onClose: () => {} }),
      answer: async (path, pageSecret) =>
        new Response(`the page ${pageSecret ?? ''}`, {
          status: path.endsWith('/missing.js') ? 404 : 200,
          headers: { 'cache-control': 'max-age=9' },
        }),
      preload: () => undefined,
      permissionsPolicy: () => '',
      secret: () => 'secret',
      resume: new Resume(randomBytes),
      secondInstance: (_arrival, access) => ({ ready: access.invitation(), open: null }),
    },
    port,
  );
  servers.push(server);
  return server;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Reuses connections; by default each request has its own. */
  readonly agent?: Agent;
}

/** Sends a request with node:http, because fetch sets Host and Origin itself. */
async function ask(server: Server, { path = '/', method = 'GET', headers = {}, body, agent }: Asked) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const to = { host: '127.0.0.1', port: server.port, path, method, headers, agent };
      const asked = request(to, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      });
      asked.on('error', reject).end(body);
    },
  );
}

const invited = (server: Server) => {
  const { pathname, search } = new URL(server.access.invitation());
  return pathname + search;
};
const cookieOf = (server: Server) => server.access.cookie.split(';')[0] ?? '';

/** Sends these lines as a request; resolves with the status. */
async function statusOf({ port }: Server, lines: readonly string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  socket.destroy();
  return Number(String(first).split(' ')[1]);
}

interface Upgrade {
  readonly path?: string;
  readonly headers: Record<string, string>;
  readonly protocols?: string[];
}

/** Requests an upgrade; resolves with `open`, or with the status of the refusal and its `Connection` header. */
async function upgrade(
  server: Server,
  { path = BRIDGE_PATH, headers, protocols = bridgeProtocols(server.access.pageSecret) }: Upgrade,
): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) =>
      resolve(`${response.statusCode}, ${response.headers.connection}`),
    );
  });
}

it('contract §2 token: a token returns the page and a cookie named after the port at its first use, and is refused after it, with a text that says what to do', async () => {
  const server = await start();
  const path = invited(server);
  const answer = await ask(server, { path });
  expect([answer.status, answer.text]).toEqual([200, `the page ${server.access.pageSecret}`]);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(`^parley-${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000$`),
    ),
  ]);
  const again = await ask(server, { path });
  expect([again.status, again.text]).toEqual([403, expect.stringContaining('npm start')]);
});

it('contract §2 token: a token returns the page’s secret once to a browser that has the cookie, and is ignored when it is not valid', async () => {
  const server = await start();
  const [path, headers] = [invited(server), { cookie: cookieOf(server) }];
  expect((await ask(server, { path, headers })).text).toContain(server.access.pageSecret);
  const again = await ask(server, { path, headers });
  expect([again.status, again.text, again.headers['set-cookie']]).toEqual([200, 'the page ', undefined]);
});

it.each([
  ['on a path other than the page', '/page.js', 'GET'],
  ['by a HEAD request, which a preview may be', '/', 'HEAD'],
])('a token is refused and stays valid %s', async (_what, pathname, method) => {
  const server = await start();
  const { search } = new URL(server.access.invitation());
  expect((await ask(server, { path: pathname + search, method })).status).toBe(403);
  expect((await ask(server, { path: `/${search}` })).status).toBe(200);
});

it.each([
  ['without the cookie', {}],
  ['with a wrong cookie', { cookie: 'wrong' }],
  ['for another host', { host: 'parley.example' }],
  ['from a page of another site', { origin: 'https://parley.example' }],
  ['from a page of another port', { origin: 'http://127.0.0.1:1' }],
])('contract §2 foreign requests: a request gets 403 %s, and so does an upgrade', async (_what, changed) => {
  const server = await start();
  const cookie = 'cookie' in changed ? `parley-${server.port}=${changed.cookie}` : cookieOf(server);
  const headers = Object.keys(changed).length === 0 ? {} : { ...changed, cookie };
  expect((await ask(server, { headers })).status).toBe(403);
  expect((await ask(server, { headers, path: '/-/nothing' })).status).toBe(403);
  expect(await upgrade(server, { headers })).toBe('403, close');
});

it.each([
  ['400 with the same Host header twice', ['Host: 127.0.0.1:PORT', 'HOST: 127.0.0.1:PORT'], 400],
  ['403 with two Origin headers', ['Host: 127.0.0.1:PORT', 'Origin: OWN', 'Origin: OWN'], 403],
])('a request is refused with %s, also as an upgrade and as a hand-over', async (_what, lines, status) => {
  const server = await start();
  const own = lines.map((line) =>
    line.replace('PORT', `${server.port}`).replace('OWN', server.access.origin),
  );
  const headers = [...own, `Cookie: ${cookieOf(server)}`, 'Connection: close'];
  expect(await statusOf(server, ['GET / HTTP/1.1', ...headers])).toBe(status);
  const bridge = ['Upgrade: websocket', `Sec-WebSocket-Protocol: x, ${server.access.pageSecret}`];
  const upgraded = [...headers, 'Connection: Upgrade', ...bridge];
  expect(await statusOf(server, [`GET ${BRIDGE_PATH} HTTP/1.1`, ...upgraded])).toBe(status);
  const post = ['POST /-/second-instance HTTP/1.1', 'Authorization: Bearer secret', 'Content-Length: 0'];
  expect(await statusOf(server, [...post, ...headers])).toBe(status);
});

it('contract §2 foreign requests: a request is accepted with the cookie and this origin; an upgrade needs the secret too', async () => {
  const server = await start();
  const other = await start();
  const headers = { cookie: cookieOf(server), origin: server.access.origin };
  const { status, text } = await ask(server, { headers });
  expect([status, text]).toEqual([200, 'the page ']);
  expect(await upgrade(server, { headers })).toBe('open');
  for (const secret of [null, 'wrong', other.access.pageSecret, cookieOf(server).split('=')[1] ?? '']) {
    expect(await upgrade(server, { headers, protocols: bridgeProtocols(secret) })).toBe('403, close');
  }
});

it('a request gets the headers for privacy when it is accepted or refused', async () => {
  const server = await start();
  for (const given of [{ cookie: cookieOf(server) }, {}]) {
    const { headers } = await ask(server, { headers: given });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

it.each([
  ['/assets/index-a1b2.js', 'private, max-age=31536000, immutable'],
  ['/assets/missing.js', 'no-store'],
  ['/index.html', 'no-store'],
  ['/-/preload.js', 'no-store'],
])('the browser stores only files whose names contain a hash: %s has %s', async (path, cacheControl) => {
  const server = await start();
  const { headers } = await ask(server, { path, headers: { cookie: cookieOf(server) } });
  expect(headers['cache-control']).toBe(cacheControl);
});

it('a connection is closed after 10 s of header fields that do not end, and after 5 s without a further request', async () => {
  const created = vi.spyOn(http, 'createServer');
  onTestFinished(() => created.mockRestore());
  await start();
  expect(created.mock.results[0]?.value).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
  });
});

it('a connection stays open after an accepted request, and is closed after 10 s with refused ones only', async () => {
  const server = await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const known = openRawConnection(server.port, { Cookie: cookieOf(server) });
  const unknownClient = openRawConnection(server.port, {});
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'answered']);
  vi.advanceTimersByTime(10_000);
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'closed']);
});

it.each([
  ['with a wrong secret', { authorization: 'Bearer wrong' }],
  ['from a web page', { authorization: 'Bearer secret', origin: 'https://parley.example' }],
])('a hand-over gets 403 %s', async (_what, headers) => {
  const server = await start();
  expect((await ask(server, { path: '/-/second-instance', method: 'POST', headers })).status).toBe(403);
});

it.each([
  ['with invalid JSON', 'application/json', '{'],
  ['with another type', 'application/x-www-form-urlencoded', 'argv=x'],
  ['with a megabyte', 'application/json', `"${'x'.repeat(1_000_000)}"`],
])('a hand-over with the secret gets 400 and one line %s', async (_what, type, body) => {
  const server = await start();
  const headers = { authorization: 'Bearer secret', 'content-type': type };
  expect(await ask(server, { path: '/-/second-instance', method: 'POST', headers, body })).toMatchObject({
    status: 400,
    text: '400: This is not the request of a second start of Parley.\n',
  });
});

it('contract §2 port: the port is 4310 or the next free one without a setting, and causes an error that names the setting when the configured one is taken', async () => {
  const [one, next] = [await start(null), await start(null)];
  expect(one.port).toBeGreaterThanOrEqual(4310);
  expect(next.port).toBeGreaterThan(one.port);
  await expect(start(one.port)).rejects.toThrow(`PARLEY_PORT: port ${one.port} is in use`);
});
