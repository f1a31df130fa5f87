import { describe, expect, test } from 'vitest';
import { EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { postAuth, request } from '../testing/testPlatform.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';
import { readPlatformLimits } from './platformLimits.ts';

const PLAIN = 'text/plain; charset=utf-8';

test('registers when the name is not empty, and answers with an account identifier', async () => {
  const { apiUrl } = await testPlatform();
  const answer = await postAuth(apiUrl, ADA);
  expect(answer).toMatchObject({ status: 200, type: PLAIN });
  expect(answer.body).toMatch(/^[\w-]{32}$/);
});

test.each([
  ['null', { name: null }],
  ['empty', { name: '' }],
  ['missing', { name: undefined }],
])('signs in to the same account when the name is %s', async (_, name) => {
  const { apiUrl, register } = await testPlatform();
  const account = await register();
  expect(await postAuth(apiUrl, { ...ADA, ...name })).toEqual({ status: 200, type: PLAIN, body: account });
});

test('ignores the case of the email', async () => {
  const { apiUrl, register } = await testPlatform();
  const account = await register();
  const answer = await postAuth(apiUrl, { ...ADA, email: 'ADA@Example.ORG', name: '' });
  expect(answer.body).toBe(account);
});

test('gives the same answer to a wrong password and to an unknown email', async () => {
  const { apiUrl, register } = await testPlatform();
  await register();
  const wrong = await postAuth(apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  const unknown = await postAuth(apiUrl, { ...ADA, email: 'bob@example.org', name: '' });
  expect(wrong).toEqual({ status: 401, type: PLAIN, body: 'Wrong email or password.' });
  expect(unknown).toEqual(wrong);
});

test('refuses an email that is registered already, also when both requests arrive at once', async () => {
  const { apiUrl } = await testPlatform();
  const answers = await Promise.all([postAuth(apiUrl, ADA), postAuth(apiUrl, ADA)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const later = await postAuth(apiUrl, { ...ADA, email: 'Ada@example.org' });
  expect(later).toEqual({ status: 409, type: PLAIN, body: 'That email is already registered.' });
});

test.each([
  ['email', { email: 'ada' }, EMAIL_ERROR],
  ['password', { password: 'engine' }, PASSWORD_ERROR],
  ['name', { name: 'Ada' }, NAME_ERROR],
])('refuses a form with an invalid %s, with the text of the rule', async (_, fields, error) => {
  const { apiUrl } = await testPlatform();
  expect(await postAuth(apiUrl, { ...ADA, ...fields })).toEqual({ status: 422, type: PLAIN, body: error });
});

test.each([
  ['not an object', '[]', 400],
  ['not JSON', '{', 400],
  ['with fields of another type', '{"email":1,"password":"x"}', 400],
  ['larger than 4 KiB', JSON.stringify({ ...ADA, name: 'a'.repeat(4096) }), 413],
])('refuses a body that is %s, with a sentence', async (_, body, status) => {
  const { apiUrl } = await testPlatform();
  const headers = { 'content-type': 'application/json' };
  const answer = await request(`${apiUrl}/auth`, { method: 'POST', headers, body });
  expect(answer).toMatchObject({ status, type: PLAIN });
  expect(answer.body).toMatch(/^[A-Z][^{}]+\.$/);
});

test('refuses a body whose content type is not JSON', async () => {
  const { apiUrl } = await testPlatform();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(`${apiUrl}/auth`, { method: 'POST', headers, body: 'email=a' });
  expect(answer).toEqual({ status: 415, type: PLAIN, body: 'The request must be JSON.' });
});

test('answers 404 on another path', async () => {
  const { apiUrl } = await testPlatform();
  expect((await request(`${apiUrl}/a/b`)).status).toBe(404);
  expect((await request(`${apiUrl}/account`)).status).toBe(404);
});

test('logs no password, account or email during a sign-in', async () => {
  const { apiUrl, register, logged } = await testPlatform();
  const account = await register();
  await postAuth(apiUrl, { ...ADA, name: '' });
  await postAuth(apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  await request(`${apiUrl}/${account}`);
  expect(logged()).toContain('credentials refused');
  for (const secret of [account, ADA.email, ADA.password, 'engine1844!'])
    expect(logged()).not.toContain(secret);
});

describe('a platform where only the owner registers', () => {
  const OWNER = { ownerSecret: 'of-the-owner', registration: 'owner' } as const;
  const asOwner = { authorization: 'Bearer of-the-owner' };

  test('registers the owner, who can sign in without the secret', async () => {
    const { apiUrl } = await testPlatform(undefined, OWNER);
    const registered = await postAuth(apiUrl, ADA, asOwner);
    expect(registered).toMatchObject({ status: 200 });
    expect(await postAuth(apiUrl, { ...ADA, name: '' })).toEqual(registered);
  });

  test.each([{}, { authorization: '' }, { authorization: 'Bearer of-another' }])(
    'refuses to register a caller with the header %j, in words for the person',
    async (headers) => {
      const { apiUrl } = await testPlatform(undefined, OWNER);
      expect(await postAuth(apiUrl, ADA, headers)).toEqual({
        status: 403,
        type: PLAIN,
        body: 'Only the person who started this Parley can register here. Start a Parley of your own.',
      });
      expect((await postAuth(apiUrl, { ...ADA, name: '' })).status).toBe(401);
    },
  );

  test('registers nobody without a secret', async () => {
    const { apiUrl } = await testPlatform(undefined, { registration: 'owner' });
    expect((await postAuth(apiUrl, ADA, asOwner)).status).toBe(403);
  });
});

test('refuses registrations over the limit of an hour, and lets known accounts sign in', async () => {
  const platform = await testPlatform(undefined, {
    limits: { ...readPlatformLimits({}), registrationsPerHour: 2 },
  });
  await platform.register();
  const register = (email: string) => postAuth(platform.apiUrl, { ...ADA, email });
  expect(await register('bob@example.org')).toMatchObject({ status: 200 });
  expect(await register('eve@example.org')).toMatchObject({
    status: 429,
    body: 'Too many registrations. Try again in 60 minutes.',
  });
  expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200 });
  platform.clock.advance(3_600_000);
  expect(await register('eve@example.org')).toMatchObject({ status: 200 });
});

test('lets a person wait after the wrong passwords that the administrator allows', async () => {
  const platform = await testPlatform(undefined, {
    limits: { ...readPlatformLimits({}), wrongPasswords: 1 },
  });
  await platform.register();
  const logIn = (password: string) => postAuth(platform.apiUrl, { ...ADA, password, name: '' });
  expect((await logIn('engine1844!')).status).toBe(401);
  expect((await logIn('engine1844!')).status).toBe(429);
});
