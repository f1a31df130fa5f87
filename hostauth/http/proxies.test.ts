import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { clientAddress } from './guards/hostCheck.ts';
import { PASSWORD, WRONG } from '../testing/fakeHelper.ts';
import { type TestApp, post, testApp } from '../testing/testApp.ts';

const PROXY = { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] };

/** Returns the logged address of a sign-in from this machine with the given header. */
async function addressesOf({ url, log }: TestApp, forwarded: string) {
  const before = log.length;
  await post(`${url}/auth`, { username: 'ada', password: WRONG }, { 'x-forwarded-for': forwarded });
  return log.slice(before).map(({ address }) => address);
}

test.each([
  ['no proxy', {}, [['203.0.113.9', '127.0.0.1']]],
  ['another proxy', { trustedProxies: ['10.0.0.1', '::1'] }, [['203.0.113.9', '127.0.0.1']]],
  [
    'the proxy',
    PROXY,
    [
      ['203.0.113.9', '203.0.113.9'],
      // The client's own value is at the left.
      ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['127.0.0.1, 10.1.1.1,203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 203.0.113.9, 10.2.3.4', '203.0.113.9'],
      // Not an address.
      ['203.0.113.9, <script>', '127.0.0.1'],
      ['unknown, 10.2.3.4', '10.2.3.4'],
      [' , ', '127.0.0.1'],
      ['2001:db8::7', '2001:db8::7'],
      // Some proxies add the port.
      ['198.51.100.1, 203.0.113.9:4711', '203.0.113.9'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
      ['[::ffff:203.0.113.9]', '203.0.113.9'],
      ['203.0.113.9:x', '127.0.0.1'],
    ],
  ],
])('logs the address of the client when %s is trusted', async (_who, options, rows) => {
  const app = await testApp(options);
  for (const [forwarded = '', address] of rows) {
    expect(await addressesOf(app, forwarded)).toEqual([address, address]);
  }
});

test.each([{}, PROXY])(
  'answers others after a client that reset its connection, and logs no other address for it (%j)',
  async (options) => {
    const app = await testApp({
      ...options,
      mayEnter({ headers }) {
        // The server cannot know yet.
        if (headers['x-lost'] !== undefined) client.resetAndDestroy();
        return true;
      },
    });
    const client = connect(app.port, '127.0.0.1');
    client.write('GET /me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Lost: 1\r\n\r\n');
    await once(client, 'close');
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    // Newer versions of Node drop the request of a closed connection.
    const addresses = app.log.filter(({ route }) => route === '/me').map(({ address }) => address);
    expect(new Set(['127.0.0.1', ...addresses])).toEqual(new Set(['127.0.0.1']));
  },
);

test('logs an address that is not known as unknown', () => {
  // Fastify's types do not have this case.
  const ip: unknown = undefined;
  expect(clientAddress(Object.assign(Object.create(null), { ip, ips: undefined }))).toBe('unknown');
  expect(clientAddress(Object.assign(Object.create(null), { ip, ips: [ip] }))).toBe('unknown');
});

/** Signs in through the proxy; returns the status. */
async function signIn(url: string, address: string, credentials: { username: string; password: string }) {
  return (await post(`${url}/auth`, credentials, { 'x-forwarded-for': address })).status;
}
const wrong = (username: string) => ({ username, password: WRONG });
const RIGHT = { username: 'eve', password: PASSWORD };

test('contract §8 failures, proxies: counts failures separately for each address behind a trusted proxy', async () => {
  const { url } = await testApp({ ...PROXY, failures: 10, addressFailures: 2 });
  for (const name of ['ada', 'ben']) expect(await signIn(url, '203.0.113.9', wrong(name))).toBe(401);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(429);
  // A value that the client adds itself has no effect.
  expect(await signIn(url, '198.51.100.1, 203.0.113.9', RIGHT)).toBe(429);
  expect(await signIn(url, '198.51.100.1', RIGHT)).toBe(200);
});

test('contract §8 failures, proxies: counts failures for the address of the connection when no proxy is trusted, whatever the header contains', async () => {
  const { url } = await testApp({ addressFailures: 2 });
  for (const end of [1, 2]) expect(await signIn(url, `203.0.113.${end}`, wrong('ada'))).toBe(401);
  expect(await signIn(url, '203.0.113.3', RIGHT)).toBe(429);
});

test('contract §8 proxies: wrong names from the address of a trusted proxy lock out nobody behind it', async () => {
  const { url } = await testApp({ ...PROXY, addressFailures: 60 });
  const direct = Array.from({ length: 61 }, (_, i) => post(`${url}/auth`, wrong(`name${i}`)));
  const statuses = (await Promise.all(direct)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(200);
  expect((await post(`${url}/auth`, RIGHT)).status).toBe(429);
});

test('counts failures for the /64 of an IPv6 address, and for an IPv4 address in IPv6 form', async () => {
  const { url } = await testApp({ ...PROXY, addressFailures: 2 });
  for (const end of ['1', 'ffff:1']) expect(await signIn(url, `2001:db8::${end}`, wrong('ada'))).toBe(401);
  expect(await signIn(url, '2001:db8:0:0:8000::', RIGHT)).toBe(429);
  expect(await signIn(url, '2001:db8:0:1::', RIGHT)).toBe(200);
  for (const name of ['ada', 'ben']) expect(await signIn(url, '::ffff:203.0.113.9', wrong(name))).toBe(401);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(429);
});

test.each([{}, PROXY])(
  'checks Host and Origin, not the header fields that a proxy adds: %j',
  async (options) => {
    const { port } = await testApp(options);
    const statusOf = async (lines: readonly string[]) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(['GET /healthz HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n'));
      return (await text(socket)).slice(0, 12);
    };
    const own = `Host: 127.0.0.1:${port}`;
    const foreign = 'Host: evil.example';
    const forwarded = [`X-Forwarded-Host: 127.0.0.1:${port}`, 'X-Forwarded-For: 127.0.0.1'];
    expect(await statusOf([foreign, ...forwarded])).toBe('HTTP/1.1 403');
    expect(await statusOf([own, 'Origin: http://evil.example', ...forwarded])).toBe('HTTP/1.1 403');
    expect(await statusOf([own, `Origin: https://127.0.0.1:${port}`, 'X-Forwarded-Proto: https'])).toBe(
      'HTTP/1.1 403',
    );
    expect(await statusOf([own, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'])).toBe(
      'HTTP/1.1 200',
    );
  },
);
