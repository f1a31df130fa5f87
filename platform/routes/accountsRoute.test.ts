import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { postAuth, request } from '../testing/request.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const OWNER = { ownerSecret: 'of-the-owner' };
const headers = { authorization: 'Bearer of-the-owner', 'content-type': 'application/json' };

const setRevoked = (apiUrl: string, email: string, isRevoked: boolean) =>
  request(`${apiUrl}/accounts/revoked`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, isRevoked }),
  });

const logIn = (apiUrl: string) => postAuth(apiUrl, { ...ADA, name: '' });

test('signs every client of a revoked account out at once, and refuses its sign-in in words', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const account = await platform.register();
  const clients = await Promise.all([platform.connect(account), platform.connect(account)]);
  const other = await platform.connect(await platform.register({ email: 'bob@example.org' }));
  clients[0]?.sendText('stream');
  await other.until(() => true);
  expect(await setRevoked(platform.apiUrl, 'ADA@example.org', true)).toMatchObject({ status: 204 });
  for (const client of clients) expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(await logIn(platform.apiUrl)).toMatchObject({
    status: 403,
    body: 'This account was revoked. Ask the administrator of the platform.',
  });
  expect(await postAuth(platform.apiUrl, { ...ADA, password: 'engine1844!', name: '' })).toMatchObject({
    status: 401,
  });
  expect(await (await platform.connect(account)).closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(other.socket.readyState).toBe(other.socket.OPEN);
});

test('lets a restored account continue with its conversation', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const account = await platform.register();
  const before = await platform.connect(account);
  before.sendText('remember');
  await before.until(({ newest }) => newest()?.modifier === 'client');
  await setRevoked(platform.apiUrl, ADA.email, true);
  expect(await setRevoked(platform.apiUrl, ADA.email, false)).toMatchObject({ status: 204 });
  expect(await logIn(platform.apiUrl)).toMatchObject({ status: 200, body: account });
  const after = await platform.connect(account);
  expect(after.conversation()).toEqual(before.conversation());
});

test('lists the accounts for the owner only', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const account = await platform.register();
  const { status, body } = await request(`${platform.apiUrl}/accounts`, { headers });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject([{ email: ADA.email, messages: 1, revokedAt: null }]);
  expect(body).not.toContain(account);
  const foreign = { authorization: 'Bearer other' };
  expect((await request(`${platform.apiUrl}/accounts`, { headers: foreign })).status).toBe(403);
  expect((await request(`${platform.apiUrl}/accounts/revoked`, { method: 'POST' })).status).toBe(403);
});

test('answers 404 for an unknown email and 400 for another body', async () => {
  const { apiUrl } = await testPlatform(undefined, OWNER);
  expect((await setRevoked(apiUrl, 'nobody@example.org', true)).status).toBe(404);
  const other = await request(`${apiUrl}/accounts/revoked`, { method: 'POST', headers, body: '{}' });
  expect(other.status).toBe(400);
});

test('has a file with its address and secret that only its owner can read, while it runs', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const file = join(dirname(platform.dataFile), 'platform-owner.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ apiUrl: platform.apiUrl, secret: 'of-the-owner' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await platform.close();
  expect(existsSync(file)).toBe(false);
});
