import { expect, test } from 'vitest';
import { EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { postAuth, request } from '../testing/request.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const PLAIN = 'text/plain; charset=utf-8';

test('a name that is not empty, registers and answers with an account identifier', async () => {
  const { apiUrl } = await testPlatform();
  const answer = await postAuth(apiUrl, ADA);
  expect(answer).toMatchObject({ status: 200, type: PLAIN });
  expect(answer.body).toMatch(/^[\w-]{32}$/);
});

test.each([
  ['null', { name: null }],
  ['empty', { name: '' }],
  ['missing', { name: undefined }],
])('a name that is %s, logs in to the same account', async (_, name) => {
  const { apiUrl, register } = await testPlatform();
  const account = await register();
  expect(await postAuth(apiUrl, { ...ADA, ...name })).toEqual({ status: 200, type: PLAIN, body: account });
});

test('the email in other letters, is the same account', async () => {
  const { apiUrl, register } = await testPlatform();
  const account = await register();
  const answer = await postAuth(apiUrl, { ...ADA, email: 'ADA@Example.ORG', name: '' });
  expect(answer.body).toBe(account);
});

test('a wrong password and an unknown email, are answered alike', async () => {
  const { apiUrl, register } = await testPlatform();
  await register();
  const wrong = await postAuth(apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  const unknown = await postAuth(apiUrl, { ...ADA, email: 'bob@example.org', name: '' });
  expect(wrong).toEqual({ status: 401, type: PLAIN, body: 'Wrong email or password.' });
  expect(unknown).toEqual(wrong);
});

test('an email that has registered already, is refused, also when both come at once', async () => {
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
])('a form whose %s breaks the rule, is refused with the rule’s words', async (_, fields, error) => {
  const { apiUrl } = await testPlatform();
  expect(await postAuth(apiUrl, { ...ADA, ...fields })).toEqual({ status: 422, type: PLAIN, body: error });
});

test.each([
  ['no object', '[]', 400],
  ['no JSON', '{', 400],
  ['fields of another type', '{"email":1,"password":"x"}', 400],
  ['more than 4 KiB', JSON.stringify({ ...ADA, name: 'a'.repeat(4096) }), 413],
])('a body that is or has %s, is refused with a sentence', async (_, body, status) => {
  const { apiUrl } = await testPlatform();
  const headers = { 'content-type': 'application/json' };
  const answer = await request(`${apiUrl}/auth`, { method: 'POST', headers, body });
  expect(answer).toMatchObject({ status, type: PLAIN });
  expect(answer.body).toMatch(/^[A-Z][^{}]+\.$/);
});

test('a body that is not JSON by its type, is refused', async () => {
  const { apiUrl } = await testPlatform();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(`${apiUrl}/auth`, { method: 'POST', headers, body: 'email=a' });
  expect(answer).toEqual({ status: 415, type: PLAIN, body: 'The request must be JSON.' });
});

test('another path, is not found', async () => {
  const { apiUrl } = await testPlatform();
  expect((await request(`${apiUrl}/a/b`)).status).toBe(404);
  expect((await request(`${apiUrl}/account`)).status).toBe(404);
});

test('everything that signing in logs, holds neither password nor account nor email', async () => {
  const { apiUrl, register, logged } = await testPlatform();
  const account = await register();
  await postAuth(apiUrl, { ...ADA, name: '' });
  await postAuth(apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  await request(`${apiUrl}/${account}`);
  expect(logged()).toContain('credentials refused');
  for (const secret of [account, ADA.email, ADA.password, 'engine1844!'])
    expect(logged()).not.toContain(secret);
});
