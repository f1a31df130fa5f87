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

/** What an answer says of the token that it needs. */
const needOf = async (response: Response): Promise<unknown> => ({
  challenge: response.headers.get('www-authenticate'),
  body: await response.json(),
});

test('spec §2.7 username, §4.3 row 2, contract §8 GET /me: a live token, whose it is and when it expires, which every use puts off', async () => {
  const app = await testApp();
  const token = await signIn(app);
  expect(await app.client.me(token)).toEqual({ username: 'ada', expires_at: '2026-01-01T00:15:00.000Z' });
  app.clock.advance(60_000);
  expect(await app.client.me(token)).toEqual({ username: 'ada', expires_at: '2026-01-01T00:16:00.000Z' });
});

test('spec §5 item 2: bearer in any case, is Bearer', async () => {
  const app = await testApp();
  const token = await signIn(app);
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    expect((await call(app, { path: '/me', authorization: `${scheme} ${token}` })).status).toBe(200);
  }
});

test.each(['/me', '/logout'])(
  'spec §4.3 row 2, contract §8 401: %s without a live token, 401',
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

test.each(['/me', '/logout'])('%s once the idle time is over, 401', async (path) => {
  const app = await testApp();
  const token = await signIn(app);
  app.clock.advance(900_000);
  expect(await needOf(await call(app, { path, authorization: `Bearer ${token}` }))).toEqual(TOKEN_NEEDED);
});

test('a session that nobody asks for again, the log tells of its end within a second', async () => {
  const app = await testApp({ limits: { idleMs: 5000 } });
  await signIn(app);
  app.clock.advance(6000);
  expect(app.audited().at(-1)).toMatchObject({ audit: 'session expired', username: 'ada', reason: 'idle' });
  expect(app.sessions.size).toBe(0);
});

test('spec §3.4 row 2, §4.3 row 3, contract §8 POST /logout: logged out, 204 without a body and the token is worth nothing; again, 401', async () => {
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

test('spec §3.4 row 2: logged out twice at the same time, once 204 and once 401', async () => {
  const app = await testApp();
  const authorization = `Bearer ${await signIn(app)}`;
  const both = await Promise.all([1, 2].map(() => call(app, { path: '/logout', authorization })));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 401]));
});

test.each(['application/json', 'text/plain', 'application/xml', 'no type at all', ''])(
  'contract §8 POST /logout: logout with an empty body of type "%s", 204',
  async (type) => {
    const app = await testApp();
    const authorization = `Bearer ${await signIn(app)}`;
    expect((await call(app, { path: '/logout', authorization, type, body: '' })).status).toBe(204);
  },
);

test('contract §8 POST /logout: logout with a body, 400 and the session lives', async () => {
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
