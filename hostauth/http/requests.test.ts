import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { problemSchema } from '../api/schemas.ts';
import { PASSWORD, SECRET } from '../testing/fakeHelper.ts';
import { fakeHelper } from '../testing/fakeHelper.ts';
import { post, testApp } from '../testing/testApp.ts';

const RIGHT = { username: 'ada', password: PASSWORD };

/** Checks the media type, the body and the caching of a problem; returns it in short. */
async function problemOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = await response.text();
  expect(body).not.toContain(SECRET);
  const { type, status } = problemSchema.parse(JSON.parse(body));
  expect(status).toBe(response.status);
  return `${status} ${type.replace('urn:problem-type:hostauth:', '')}`;
}

/** Sends bytes; returns all that the server answers until the connection ends. */
async function answerTo(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(lines.join('\r\n'));
  return text(socket);
}

test.each([
  ['a number for a username', { ...RIGHT, username: 1 }],
  ['a number for a password', { ...RIGHT, password: 1 }],
  ['null', { ...RIGHT, password: null }],
  ['an array', { ...RIGHT, username: ['ada'] }],
  ['an object', { ...RIGHT, username: { toString: 'ada' } }],
  ['a truth value', { ...RIGHT, password: true }],
  ['no password', { username: 'ada' }],
  ['no username', { password: PASSWORD }],
  ['an unknown key', { ...RIGHT, role: SECRET }],
  ['an array for a body', [RIGHT]],
  ['null for a body', 'null'],
  ['a text for a body', `"${SECRET}"`],
  ['a number for a body', '1'],
  ['__proto__', `{"username":"ada","password":"${PASSWORD}","__proto__":{"admin":true}}`],
  ['escaped __proto__', `{"username":"ada","password":"${PASSWORD}","\\u005f_proto__":{}}`],
  ['a poisoned constructor', `{"username":"ada","password":"${PASSWORD}","constructor":{"prototype":{}}}`],
  ['broken JSON', `{"username":"ada","password":"${PASSWORD}"`],
  ['something after the JSON', `{"username":"ada","password":"${PASSWORD}"} ${SECRET}`],
  ['a password for JSON', SECRET],
  ['nothing', ''],
])('contract §8 JSON only: answers 400 to %s and does not ask PAM', async (_what, body) => {
  const { url, authenticator } = await testApp();
  expect(await problemOf(await post(`${url}/auth`, body))).toBe('400 invalid-request');
  expect(authenticator.asked).toEqual([]);
});

test('answers 400 to a request without a body', async () => {
  const { url } = await testApp();
  expect(await problemOf(await fetch(`${url}/auth`, { method: 'POST' }))).toBe('400 invalid-request');
});

/** The body of a sign-in with a length in bytes. */
const bodyOf = (bytes: number) => {
  const empty = JSON.stringify({ username: 'ada', password: '' });
  return JSON.stringify({ username: 'ada', password: SECRET.padEnd(bytes - empty.length, 'x') });
};

test('contract §8 JSON only: reads a body of 4096 bytes and answers 413 to one of 4097', async () => {
  const { url } = await testApp();
  expect(await problemOf(await post(`${url}/auth`, bodyOf(4096)))).toBe('401 credentials');
  expect(await problemOf(await post(`${url}/auth`, bodyOf(4097)))).toBe('413 too-large');
});

test('answers 413 to a body of 4097 bytes in chunks', async () => {
  const { url } = await testApp();
  const body = new Blob([JSON.stringify({ ...RIGHT, password: 'x'.repeat(5000) })]).stream();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
  expect(await problemOf(await fetch(`${url}/auth`, init))).toBe('413 too-large');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'x'])(
  'contract §8 JSON only: answers 415 to a body of %s',
  async (type) => {
    const { url } = await testApp();
    const response = await post(`${url}/auth`, RIGHT, { 'content-type': type });
    expect(await problemOf(response)).toBe('415 not-json');
  },
);

test('contract §8 problems: answers 404 to an unknown call', async () => {
  const { url } = await testApp();
  expect(await problemOf(await fetch(`${url}/${SECRET}?${SECRET}`))).toBe('404 not-found');
  expect(await problemOf(await fetch(`${url}/auth`))).toBe('404 not-found');
  expect(await problemOf(await fetch(`${url}/%`))).toBe('400 invalid-request');
});

test.each([
  ['host', 'evil.example:PORT'],
  ['host', '127.0.0.1'],
  ['host', '127.0.0.1:1'],
  ['host', '127.0.0.1:PORT@evil.example'],
  ['host', '[::2]:PORT'],
  ['origin', 'https://127.0.0.1:PORT'],
  ['origin', 'http://127.0.0.1:1'],
  ['origin', 'http://localhost:PORT'],
  ['origin', 'http://evil.example'],
  ['origin', 'null'],
])('contract §8 foreign requests: answers 403 on every call to the %s %s', async (name, value) => {
  const { port } = await testApp();
  const own = name === 'host' ? [] : [`Host: 127.0.0.1:${port}`];
  for (const call of ['POST /auth', 'GET /me', 'POST /logout', 'POST /users', 'GET /healthz', 'GET /none']) {
    const answer = await answerTo(port, [
      `${call} HTTP/1.1`,
      ...own,
      `${name}: ${value.replace('PORT', String(port))}`,
      'Connection: close',
      '',
      '',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('urn:problem-type:hostauth:foreign-host');
    expect(answer.toLowerCase()).toContain('cache-control: no-store');
  }
});

test('answers 400 to more than one Host', async () => {
  const { port } = await testApp();
  for (const second of [`127.0.0.1:${port}`, 'evil.example']) {
    const hosts = [`Host: 127.0.0.1:${port}`, `HOST: ${second}`];
    const answer = await answerTo(port, ['GET /healthz HTTP/1.1', ...hosts, 'Connection: close', '', '']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('contract §8 foreign requests: answers 403 to a request without Host', async () => {
  const { port } = await testApp();
  expect(await answerTo(port, ['GET /healthz HTTP/1.1', 'Connection: close', '', ''])).toMatch(
    /^HTTP\/1\.1 403 /,
  );
});

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
  'contract §8 foreign requests: accepts its own Host %s with the Origin of that name',
  async (name) => {
    const { port } = await testApp();
    const host = `${name}:${port}`;
    for (const origin of [[], [`Origin: http://${host}`]]) {
      const lines = ['GET /healthz HTTP/1.1', `Host: ${host}`, ...origin, 'Connection: close', '', ''];
      expect(await answerTo(port, lines)).toMatch(/^HTTP\/1\.1 200 /);
    }
  },
);

test('contract §8 problems: answers a problem to a request that is not HTTP or has too long a header', async () => {
  const { port } = await testApp();
  const garbled = await answerTo(port, [SECRET, '', '']);
  expect(garbled).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nCache-Control: no-store\r\n/);
  expect(garbled).toContain('urn:problem-type:hostauth:invalid-request');
  const long = await answerTo(port, [
    'GET /me HTTP/1.1',
    `Authorization: Bearer ${'x'.repeat(20_000)}`,
    '',
    '',
  ]);
  expect(long).toMatch(/^HTTP\/1\.1 431 /);
  expect(long).toContain('urn:problem-type:hostauth:headers-too-large');
});

test('contract §8 no-store: every answer has the security header fields', async () => {
  const { url } = await testApp();
  for (const path of ['/healthz', '/metrics', '/openapi.json', '/me', '/none']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('contract §8 problems: answers 500 without details to an internal error, and logs it', async () => {
  const { url, log } = await testApp({
    makeHelper: (authenticator) => ({
      ...fakeHelper(authenticator),
      authenticate: () => Promise.reject(new Error('the cable is out')),
    }),
  });
  expect(await problemOf(await post(`${url}/auth`, RIGHT))).toBe('500 internal');
  expect(log).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'the cable is out' }) }),
  );
});
