import { describe, expect, test } from 'vitest';
import { PASSWORD } from '../../testing/fakeAuthenticator.ts';
import { type TestApp, testApp } from '../../testing/testApp.ts';

const signIn = async ({ client }: TestApp, username: string) =>
  (await client.signIn({ username, password: PASSWORD })).token;

/** A service with an administrator, `chief`, and another user, `ada`. */
async function scene() {
  const app = await testApp();
  app.helper.administrators.add('chief');
  const [chief, ada] = [await signIn(app, 'chief'), await signIn(app, 'ada')];
  const call = (method: string, path: string, token?: string) =>
    fetch(app.url + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  const ends = () =>
    app
      .audited()
      .flatMap(({ audit, username, reason, by }) =>
        audit === 'session ended' ? [{ username, reason, by }] : [],
      );
  return { app, chief, ada, call, ends };
}

describe('the sessions, for administrators', () => {
  test('contract §8 sessions: lists user, start and address of each session, and no token', async () => {
    const { app, chief, ada, call } = await scene();
    expect(await app.client.listSessions(chief)).toEqual({
      sessions: [
        { session: 1, username: 'chief', started_at: '2026-01-01T00:00:00.000Z', address: '127.0.0.1' },
        { session: 2, username: 'ada', started_at: '2026-01-01T00:00:00.000Z', address: '127.0.0.1' },
      ],
    });
    const text = await (await call('GET', '/sessions', chief)).text();
    for (const secret of [chief, ada]) expect(text).not.toContain(secret);
    expect(text).not.toContain('account');
  });

  test('does not list sessions that have expired', async () => {
    const { app, chief } = await scene();
    app.clock.advance(899_000);
    await app.client.me(chief);
    app.clock.advance(1000);
    expect((await app.client.listSessions(chief)).sessions.map(({ username }) => username)).toEqual([
      'chief',
    ]);
  });

  test('contract §8 sessions: ends the sessions of one user, whatever the name, and logs the administrator', async () => {
    const { app, chief, ada, ends } = await scene();
    const other = await signIn(app, 'a/b c');
    await app.client.endSessions(chief, 'nobody-here');
    await app.client.endSessions(chief, 'a/b c');
    await expect(app.client.me(other)).rejects.toThrow('401');
    await app.client.endSessions(chief, 'ada');
    await expect(app.client.me(ada)).rejects.toThrow('401');
    expect(await app.client.me(chief)).toMatchObject({ username: 'chief' });
    expect(ends()).toEqual([
      { username: 'a/b c', reason: 'administrator', by: 'chief' },
      { username: 'ada', reason: 'administrator', by: 'chief' },
    ]);
  });

  test('contract §8 sessions: ends all sessions, including the administrator’s', async () => {
    const { app, chief, ada, call } = await scene();
    const response = await call('DELETE', '/sessions', chief);
    expect([response.status, await response.text()]).toEqual([204, '']);
    for (const token of [chief, ada]) await expect(app.client.me(token)).rejects.toThrow('401');
    expect(app.sessions.size).toBe(0);
  });

  test.each([
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['DELETE', '/sessions/chief'],
  ])(
    'contract §8 sessions: %s %s answers 401 without a token and 403 to other users, and ends no session',
    async (method, path) => {
      const { app, ada, call, ends } = await scene();
      const without = await call(method, path);
      expect([without.status, without.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="hostauth"',
      ]);
      expect((await call(method, path, ada)).status).toBe(403);
      expect(app.audited().at(-1)).toMatchObject({
        audit: 'sessions not shown',
        by: 'ada',
        reason: 'not-administrator',
      });
      expect(ends()).toEqual([]);
    },
  );

  test('answers 401 and ends the session of an administrator whose account has changed', async () => {
    const { app, chief, call, ends } = await scene();
    app.helper.ended.set('chief', 'locked');
    expect((await call('GET', '/sessions', chief)).status).toBe(401);
    expect(ends()).toEqual([{ username: 'chief', reason: 'locked', by: undefined }]);
  });

  test('answers 429 before it asks the helper after 60 requests in a minute', async () => {
    const { app, ada, call } = await scene();
    for (let i = 0; i < 60; i++) expect((await call('GET', '/sessions', ada)).status).toBe(403);
    const asked = app.helper.checked.length;
    expect((await call('GET', '/sessions', ada)).status).toBe(429);
    expect(app.helper.checked).toHaveLength(asked);
  });
});

describe('a session and its account', () => {
  test('is checked when the last check is 3 s old, once for requests at the same time', async () => {
    const { app, ada } = await scene();
    app.clock.advance(2999);
    await app.client.me(ada);
    expect(app.helper.checked).toEqual([]);
    app.clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => app.client.me(ada)));
    expect(app.helper.checked).toEqual(['ada']);
    app.clock.advance(1999);
    await app.client.me(ada);
    expect(app.helper.checked.filter((name) => name === 'ada')).toHaveLength(1);
  });

  test.each(['deleted', 'replaced', 'locked', 'expired', 'password', 'changed', 'proof'] as const)(
    'contract §8 a session ends with its account: ends when the account is %s, with 401 and the reason in the log',
    async (reason) => {
      const { app, ada, ends } = await scene();
      app.helper.ended.set('ada', reason);
      app.clock.advance(3000);
      await expect(app.client.me(ada)).rejects.toThrow('401');
      expect(ends()).toEqual([{ username: 'ada', reason, by: undefined }]);
      app.helper.ended.delete('ada');
      await expect(app.client.me(ada)).rejects.toThrow('401');
    },
  );

  test('contract §8 a session ends with its account: ends within 10 s even when it is not used', async () => {
    const { app, ends } = await scene();
    app.helper.ended.set('ada', 'deleted');
    app.clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends()).toEqual([{ username: 'ada', reason: 'deleted', by: undefined }]);
    app.helper.ended.set('chief', 'deleted');
    app.clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.sessions.size).toBe(0);
  });

  test('contract §8 a session ends with its account: gets 503 with Retry-After and stays while the account cannot be checked', async () => {
    const { app, ada, call } = await scene();
    app.helper.lose();
    app.clock.advance(3000);
    const response = await call('GET', '/me', ada);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(app.sessions.size).toBe(2);
  });
});
