import { expect, test, vi } from 'vitest';
import { createClient } from '../../api/client.ts';
import type { Helper } from '../../link/helperProtocol.ts';
import { bearer, problemOf, type TestApp, testApp } from '../../testing/testApp.ts';

const TOKEN_NEEDED = '401 token';
const BOTH = ['/me', '/logout'];

const sendCall = ({ url }: TestApp, path: string, options: RequestInit = {}) =>
  fetch(url + path, { method: path === '/me' ? 'GET' : 'POST', ...options });

test('spec §2.7 username, §4.3 row 2, contract §8 GET /me: GET /me returns the user and the expiry, which each use renews; the end of a session that is not used is logged within a second; the client sends it by the given `fetch`, and rejects another answer', async () => {
  const app = await testApp({ limits: { maxMs: 20 * 60_000 } });
  const token = await app.tokenOf();
  for (const minutes of [15, 16]) {
    const expiry = `2026-01-01T00:${minutes}:00.000Z`;
    expect(await app.client.me(token)).toEqual({ username: 'ada', expires_at: expiry });
    app.clock.advance(60_000);
  }
  app.clock.advance(14 * 60_000 - 1);
  expect(app.audited()).toHaveLength(2);
  app.clock.advance(1000);
  expect(app.audited()[2]).toMatchObject({ audit: 'session expired', username: 'ada', reason: 'idle' });
  const older = await app.tokenOf();
  app.clock.advance(10 * 60_000);
  const newer = await app.client.me(await app.tokenOf());
  const expiries = [newer, await app.client.me(older)].map(({ expires_at: expiry }) => expiry.slice(11, 19));
  expect(expiries).toEqual(['00:41:00', '00:36:00']);
  const send = vi.fn<typeof fetch>(async () => Response.json({}));
  await expect(createClient({ baseUrl: 'x:', fetch: send }).me('t')).rejects.toThrow('invalid_type');
  expect(send.mock.calls).toEqual([['x:/me', { method: 'GET', headers: bearer('t') }]]);
});

test('spec §4.3 row 2, §5 item 2, contract §8 401: each call answers 401 without a live token, whose scheme is in any case', async () => {
  const app = await testApp();
  const token = await app.tokenOf();
  const other = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
  const wrong = ['Bearer', 'Bearer ', `Basic ${token}`, `Bearer ${token} x`, `Bearer ${other}`];
  const refused = [{}, ...[token, ...wrong].map((authorization) => ({ authorization }))];
  for (const path of BOTH) {
    for (const headers of refused)
      expect(await problemOf(await sendCall(app, path, { headers }))).toEqual(TOKEN_NEEDED);
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const authorization = `${scheme} ${await app.tokenOf()}`;
      expect((await sendCall(app, path, { headers: { authorization } })).ok).toBe(true);
    }
  }
});

test('spec §3.4 row 2, §4.3 row 3, contract §8 POST /logout: answers 204 without a body, then the token is not valid; 401 to a second logout, and 400 to one with a body', async () => {
  const app = await testApp();
  const [token, other] = [await app.tokenOf(), await app.tokenOf()];
  const headers = bearer(token);
  const json = { ...headers, 'content-type': 'application/json' };
  expect((await sendCall(app, '/logout', { headers: json, body: '{}' })).status).toBe(400);
  expect(await app.client.me(token)).toMatchObject({ username: 'ada' });
  const empty = { headers: { ...headers, 'content-type': 'none' }, body: '' };
  const response = await sendCall(app, '/logout', empty);
  expect([response.status, await response.text()]).toEqual([204, '']);
  const logged = { audit: 'session ended', username: 'ada', session: 1, address: '127.0.0.1' };
  expect(app.audited().at(-1)).toMatchObject(logged);
  for (const path of BOTH)
    expect(await problemOf(await sendCall(app, path, { headers }))).toEqual(TOKEN_NEEDED);
  expect(await app.client.me(other)).toMatchObject({ username: 'ada' });
  // Another request has ended it in the meantime.
  vi.spyOn(app.sessions, 'end').mockResolvedValueOnce(undefined);
  expect(await problemOf(await sendCall(app, '/logout', { headers: bearer(other) }))).toBe(TOKEN_NEEDED);
});

/** A service with an administrator, `chief`, and another user, `ada`. */
async function scene() {
  const app = await testApp();
  app.helper.administrators.add('chief');
  const [chief, ada] = [await app.tokenOf('chief'), await app.tokenOf('ada')];
  const call = (request: string, token?: string) => {
    const [method = '', path = ''] = request.split(' ');
    return fetch(app.url + path, { method, headers: bearer(token) });
  };
  const ends = () =>
    app
      .audited()
      .filter(({ audit }) => audit === 'session ended')
      .map(({ username, reason, by, address }) => ({ username, reason, by, address }));
  return { app, chief, ada, call, ends };
}

test('contract §8 sessions: lists user, start and address of each session, and no token; ends those of one user, whatever the name, then all, including the administrator’s, and logs the administrator', async () => {
  const { app, chief, ada, call, ends } = await scene();
  const other = await app.tokenOf('a/b c');
  const from = { started_at: '2026-01-01T00:00:00.000Z', address: '127.0.0.1' };
  const sessions = ['chief', 'ada', 'a/b c'].map((username, at) =>
    Object.assign({ session: at + 1, username }, from),
  );
  expect(await (await call('GET /sessions', chief)).json()).toEqual({ sessions });
  await app.client.endSessions(chief, 'ad');
  await app.client.endSessions(chief, 'a/b c');
  await expect(app.client.me(other)).rejects.toThrow('401');
  expect(await app.client.me(ada)).toMatchObject({ username: 'ada' });
  await app.client.endSessions(chief, 'ada');
  expect(await app.client.listSessions(chief)).toEqual({ sessions: sessions.slice(0, 1) });
  const again = await app.tokenOf('ada');
  const response = await call('DELETE /sessions', chief);
  expect([response.status, await response.text()]).toEqual([204, '']);
  for (const token of [chief, ada, again]) await expect(app.client.me(token)).rejects.toThrow('401');
  expect(app.sessions.size).toBe(0);
  const ended = ['a/b c', 'ada', 'chief', 'ada'];
  const end = { reason: 'administrator', by: 'chief', address: '127.0.0.1' };
  expect(ends()).toEqual(ended.map((username) => Object.assign({ username }, end)));
});

test('contract §8 sessions: each call answers 401 without a token and 403 to other users, and ends no session; after 60 requests in a minute 429, before it asks the helper', async () => {
  const { app, ada, call, ends } = await scene();
  const notShown = { audit: 'sessions not shown', by: 'ada', address: '127.0.0.1' };
  for (let i = 0; i < 20; i++)
    for (const request of ['GET /sessions', 'DELETE /sessions', 'DELETE /sessions/chief']) {
      expect(await problemOf(await call(request))).toBe(TOKEN_NEEDED);
      expect((await call(request, ada)).status).toBe(403);
      expect(app.audited().at(-1)).toMatchObject({ ...notShown, reason: 'not-administrator' });
    }
  const asked = app.helper.checked.length;
  const problem = await problemOf(await call('GET /sessions', ada));
  expect(problem).toMatch(/^429 too-many-requests for [1-6]?\d s$/);
  expect(app.audited().at(-1)).toMatchObject({ ...notShown, reason: 'throttled' });
  expect(app.helper.checked).toHaveLength(asked);
  expect(ends()).toEqual([]);
});

test('contract §8 a session ends with its account: the account is checked when the last check is 3 s old, once for requests at the same time; a session ends within 10 s even when it is not used', async () => {
  const { app, ada, ends } = await scene();
  app.clock.advance(2999);
  await app.client.me(ada);
  expect(app.helper.checked).toEqual([]);
  app.clock.advance(1);
  await Promise.all(Array.from({ length: 20 }, () => app.client.me(ada)));
  expect(app.helper.checked).toEqual(['ada']);
  // After 5 s, those of unused sessions are checked.
  app.clock.advance(2000);
  await app.client.me(ada);
  expect(app.helper.checked).toEqual(['ada', 'chief']);
  app.helper.ended.set('chief', 'deleted');
  app.clock.advance(5000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends()).toEqual([{ username: 'chief', reason: 'deleted', by: undefined }]);
  expect(app.sessions.size).toBe(1);
  app.helper.ended.set('ada', 'deleted');
  app.clock.advance(5000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends().at(-1)).toEqual({ username: 'ada', reason: 'deleted', by: undefined });
  expect(app.sessions.size).toBe(0);
});

test('a check of the account counts from its begin, also that of the sign-in', async () => {
  const checkAccount = vi.fn<Helper['checkAccount']>(async () => {
    await Promise.resolve();
    app.clock.advance(2000);
    return { state: 'same' };
  });
  const app = await testApp({ calls: { checkAccount } });
  app.authenticator.hold();
  const signedIn = app.tokenOf();
  await app.authenticator.waitForSignIns(1);
  app.clock.advance(2000);
  app.authenticator.release();
  const token = await signedIn;
  for (const count of [1, 2]) {
    app.clock.advance(1000);
    await app.client.me(token);
    expect(checkAccount).toHaveBeenCalledTimes(count);
  }
});

test('contract §8 a session ends with its account: gets 401, with the reason in the log, when the account is deleted, also in a call for administrators; 503 with Retry-After, and stays, while the account cannot be checked', async () => {
  const { app, chief, ada, call, ends } = await scene();
  app.helper.ended.set('ada', 'deleted');
  app.clock.advance(3000);
  await expect(app.client.me(ada)).rejects.toThrow('401 A valid session token is needed');
  app.helper.ended.set('bob', 'locked');
  expect((await call('GET /sessions', await app.tokenOf('bob'))).status).toBe(401);
  expect(ends()).toEqual([
    { username: 'ada', reason: 'deleted', by: undefined },
    { username: 'bob', reason: 'locked', by: undefined },
  ]);
  app.helper.ended.delete('ada');
  await expect(app.client.me(ada)).rejects.toMatchObject({ problem: { status: 401 }, retryAfter: null });
  app.helper.lose();
  await expect(app.client.me(chief)).rejects.toMatchObject({ problem: { status: 503 }, retryAfter: 5 });
  app.helper.restore();
  expect(await app.client.me(chief)).toMatchObject({ username: 'chief' });
  expect(app.sessions.size).toBe(1);
  expect(app.audited().filter(({ audit }) => audit === 'sessions not shown')).toEqual([]);
});
