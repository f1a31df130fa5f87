import { expect, test } from 'vitest';
import { PASSWORD } from '../../testing/fakeAuthenticator.ts';
import { type TestApp, testApp } from '../../testing/testApp.ts';

const TOKEN_NEEDED = {
  challenge: 'Bearer realm="hostauth"',
  body: { type: 'urn:problem-type:hostauth:token', title: 'A valid session token is needed', status: 401 },
};

const signIn = async ({ client }: TestApp, username = 'ada') =>
  (await client.signIn({ username, password: PASSWORD })).token;

interface Call {
  readonly path: string;
  readonly authorization?: string;
  readonly type?: string;
  readonly body?: string;
}

const call = ({ url }: TestApp, { path, authorization, type, body }: Call) =>
  fetch(url + path, {
    method: path === '/me' ? 'GET' : 'POST',
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    body: body ?? null,
  });

/** The challenge of an answer. */
const needOf = async (response: Response): Promise<unknown> => ({
  challenge: response.headers.get('www-authenticate'),
  body: await response.json(),
});

test('spec §2.7 username, §4.3 row 2, contract §8 GET /me: GET /me returns the user and the expiry, which each use renews', async () => {
  const app = await testApp();
  const token = await signIn(app);
  expect(await app.client.me(token)).toEqual({ username: 'ada', expires_at: '2026-01-01T00:15:00.000Z' });
  app.clock.advance(60_000);
  expect(await app.client.me(token)).toEqual({ username: 'ada', expires_at: '2026-01-01T00:16:00.000Z' });
});

test('spec §5 item 2: accepts Bearer in any case', async () => {
  const app = await testApp();
  const token = await signIn(app);
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    expect((await call(app, { path: '/me', authorization: `${scheme} ${token}` })).status).toBe(200);
  }
});

test.each(['/me', '/logout'])(
  'spec §4.3 row 2, contract §8 401: %s answers 401 without a live token',
  async (path) => {
    const app = await testApp();
    const token = await signIn(app);
    expect(await needOf(await call(app, { path }))).toEqual(TOKEN_NEEDED);
    const other = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    for (const authorization of [
      token,
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token} x`,
      `Bearer ${other}`,
    ]) {
      expect(await needOf(await call(app, { path, authorization }))).toEqual(TOKEN_NEEDED);
    }
    expect((await app.client.me(token)).username).toBe('ada');
  },
);

test.each(['/me', '/logout'])('%s answers 401 after the idle time', async (path) => {
  const app = await testApp();
  const token = await signIn(app);
  app.clock.advance(900_000);
  expect(await needOf(await call(app, { path, authorization: `Bearer ${token}` }))).toEqual(TOKEN_NEEDED);
});

test('logs the end of an unused session within a second', async () => {
  const app = await testApp({ limits: { idleMs: 5000 } });
  await signIn(app);
  app.clock.advance(6000);
  expect(app.audited().at(-1)).toMatchObject({ audit: 'session expired', username: 'ada', reason: 'idle' });
  expect(app.sessions.size).toBe(0);
});

test('spec §3.4 row 2, §4.3 row 3, contract §8 POST /logout: answers 204 without a body, then the token is not valid; a second logout gets 401', async () => {
  const app = await testApp();
  const [token, other] = [await signIn(app), await signIn(app)];
  const authorization = `Bearer ${token}`;
  const response = await call(app, { path: '/logout', authorization });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(app.audited().at(-1)).toMatchObject({ audit: 'session ended', username: 'ada', session: 1 });
  expect(await needOf(await call(app, { path: '/me', authorization }))).toEqual(TOKEN_NEEDED);
  expect(await needOf(await call(app, { path: '/logout', authorization }))).toEqual(TOKEN_NEEDED);
  expect(await app.client.me(other)).toMatchObject({ username: 'ada' });
});

test('spec §3.4 row 2: answers 204 to one of two logouts at the same time, and 401 to the other', async () => {
  const app = await testApp();
  const authorization = `Bearer ${await signIn(app)}`;
  const both = await Promise.all([1, 2].map(() => call(app, { path: '/logout', authorization })));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 401]));
});

test.each(['application/json', 'text/plain', 'application/xml', 'no type at all', ''])(
  'contract §8 POST /logout: answers 204 to a logout with an empty body of type "%s"',
  async (type) => {
    const app = await testApp();
    const authorization = `Bearer ${await signIn(app)}`;
    expect((await call(app, { path: '/logout', authorization, type, body: '' })).status).toBe(204);
  },
);

test('contract §8 POST /logout: answers 400 to a logout with a body, and the session stays', async () => {
  const app = await testApp();
  const token = await signIn(app);
  const refused = await call(app, {
    path: '/logout',
    authorization: `Bearer ${token}`,
    type: 'application/json',
    body: '{}',
  });
  expect(refused.status).toBe(400);
  expect(await app.client.me(token)).toMatchObject({ username: 'ada' });
});
