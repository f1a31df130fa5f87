import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Server, startServer } from './server.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(port: number | null = 0): Promise<Server> {
  const server = await startServer(
    {
      random: randomBytes,
      connect: () => ({ heard: () => {}, gone: () => {} }),
      answer: async () => new Response('the page', { headers: { 'cache-control': 'max-age=9' } }),
      preload: () => undefined,
      permissionsPolicy: () => '',
      secret: () => 'secret',
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
  /** Keeps connections for its next requests; by default each has one of its own. */
  readonly agent?: Agent;
}

/** Over node:http and not fetch, which minds Host and Origin itself. */
async function ask(server: Server, { path = '/', method = 'GET', headers = {}, agent }: Asked) {
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
      asked.on('error', reject).end();
    },
  );
}

const invited = (server: Server) => {
  const { pathname, search } = new URL(server.access.invitation());
  return pathname + search;
};
const cookieOf = (server: Server) => server.access.cookie.split(';')[0] ?? '';

/** How an upgrade ends: `open`, or the status of its refusal. */
async function upgrade(server: Server, headers: Record<string, string>): Promise<string | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/-/bridge`, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  });
}

describe('a token', () => {
  it('at its first use, brings the page itself and a cookie named for the port', async () => {
    const server = await start();
    const answer = await ask(server, { path: invited(server) });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('the page');
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^parley-${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
      ),
    ]);
  });

  it('at its second use, is refused with words that say what to do', async () => {
    const server = await start();
    const path = invited(server);
    await ask(server, { path });
    const answer = await ask(server, { path });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('npm start');
  });

  it('spent, or never given, does no harm to who has the cookie', async () => {
    const server = await start();
    const answer = await ask(server, { path: '/?token=spent', headers: { cookie: cookieOf(server) } });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['on a path other than the page', '/page.js', 'GET'],
    ['by a HEAD request, which a preview may be', '/', 'HEAD'],
  ])('%s, is refused and not spent', async (_what, pathname, method) => {
    const server = await start();
    const { search } = new URL(server.access.invitation());
    expect((await ask(server, { path: pathname + search, method })).status).toBe(403);
    expect((await ask(server, { path: `/${search}` })).status).toBe(200);
  });

  it('is 32 random bytes, another one for each invitation', async () => {
    const server = await start();
    expect(new Set([invited(server), invited(server)]).size).toBe(2);
    expect(invited(server)).toMatch(/^\/\?token=[\w-]{43}$/);
  });
});

describe('a request', () => {
  it.each([
    ['without the cookie', {}],
    ['with a wrong cookie', { cookie: 'wrong' }],
    ['for another host', { host: 'parley.example' }],
    ['for localhost by name', { host: 'localhost' }],
    ['for another port', { host: '127.0.0.1:1' }],
    ['from a page of another site', { origin: 'https://parley.example' }],
    ['from a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['from a page that hides its origin', { origin: 'null' }],
  ])('%s, gets 403, and so does an upgrade', async (_what, changed) => {
    const server = await start();
    const cookie = 'cookie' in changed ? `parley-${server.port}=${changed.cookie}` : cookieOf(server);
    const headers = Object.keys(changed).length === 0 ? {} : { ...changed, cookie };
    expect((await ask(server, { headers })).status).toBe(403);
    expect((await ask(server, { headers, path: '/-/nothing' })).status).toBe(403);
    expect(await upgrade(server, headers)).toBe(403);
  });

  it('that is refused its upgrade, is told that the connection ends, and the next one gets its answer', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    for (const path of ['/-/bridge', '/-/nothing']) {
      const refused = await ask(server, { path, headers, agent });
      expect([refused.status, refused.headers['connection']]).toEqual([403, 'close']);
    }
    agent.destroy();
  });

  it('with the cookie and this origin, gets in, and so does an upgrade', async () => {
    const server = await start();
    const headers = { cookie: cookieOf(server), origin: server.access.origin };
    expect((await ask(server, { headers })).status).toBe(200);
    expect(await upgrade(server, headers)).toBe('open');
  });

  it('with the cookie of another instance at another port, gets 403', async () => {
    const [one, other] = [await start(), await start()];
    expect((await ask(one, { headers: { cookie: cookieOf(other) } })).status).toBe(403);
  });

  it('that would change something, gets 405', async () => {
    const server = await start();
    const headers = { cookie: cookieOf(server) };
    expect((await ask(server, { method: 'POST', headers })).status).toBe(405);
    expect((await ask(server, { method: 'HEAD', headers })).status).toBe(200);
  });

  it.each([
    ['let in', true],
    ['refused', false],
  ])('%s, is answered with the headers that keep it private', async (_what, isLetIn) => {
    const server = await start();
    const { headers } = await ask(server, { headers: isLetIn ? { cookie: cookieOf(server) } : {} });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
});

describe('a hand-over', () => {
  it.each([
    ['with a wrong secret', { authorization: 'Bearer wrong' }],
    ['without one', {}],
    ['from a web page', { authorization: 'Bearer secret', origin: 'https://parley.example' }],
  ])('%s, gets 403', async (_what, headers) => {
    const server = await start();
    expect((await ask(server, { path: '/-/second-instance', method: 'POST', headers })).status).toBe(403);
  });
});

describe('the port', () => {
  it('named and taken, is an error that names the setting', async () => {
    const { port } = await start();
    await expect(start(port)).rejects.toThrow(`PARLEY_PORT: port ${port} is taken`);
  });

  it('not named, is 4310 or a later one that is free', async () => {
    const [one, next] = [await start(null), await start(null)];
    expect(one.port).toBeGreaterThanOrEqual(4310);
    expect(next.port).toBeGreaterThan(one.port);
  });
});
