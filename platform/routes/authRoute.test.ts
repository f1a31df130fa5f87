import { join } from 'node:path';
import pino from 'pino';
import { expect, test, onTestFinished, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { readPlatformLimits, createPasswordLimit, createRateLimit } from './platformLimits.ts';
import { openStore } from '../storage/platformStore.ts';
import { postAuth, request, ADA, testPlatform, temporaryFolder } from '../testing/testPlatform.ts';

const PLAIN = 'text/plain; charset=utf-8';
const FORM = 'application/x-www-form-urlencoded';

test('registers an email with a name once, also when two requests arrive at once, and signs in to the same account without one', async () => {
  const { apiUrl } = await testPlatform();
  const answers = await Promise.all([postAuth(apiUrl, ADA), postAuth(apiUrl, ADA)]);
  const [registered, ...others] = answers.toSorted((a, b) => a.status - b.status);
  others.push(await postAuth(apiUrl, { ...ADA, email: 'Ada@example.org' }));
  const taken = { status: 409, type: PLAIN, body: 'That email is already registered.' };
  expect(others).toEqual([taken, taken]);
  expect(registered).toEqual({ status: 200, type: PLAIN, body: expect.stringMatching(/^[\w-]{32}$/) });
  for (const name of [null, '', undefined]) {
    expect(await postAuth(apiUrl, { ...ADA, name })).toEqual(registered);
    const wrong = await postAuth(apiUrl, { ...ADA, email: 'bob@example.org', name });
    expect(wrong).toEqual({ status: 401, type: PLAIN, body: 'Wrong email or password.' });
    expect(await postAuth(apiUrl, { ...ADA, password: 'engine1844!', name })).toEqual(wrong);
  }
});

test('refuses a form with an invalid field, with the text of the rule, and what is no form, with a sentence', async () => {
  const { apiUrl } = await testPlatform();
  const path = join(import.meta.dirname, 'testing/forms.txt');
  const table = await tableOf(path, async (line) => {
    const body = line.replace('a{4096}', 'a'.repeat(4096));
    const headers = { 'content-type': body.startsWith('{') ? 'application/json' : FORM };
    const answer = await request(`${apiUrl}/auth`, { method: 'POST', headers, body });
    return `${answer.status} ${answer.type} ${answer.body}`;
  });
  await expect(table).toMatchFileSnapshot(path);
});

test('where only the owner registers, refuses callers without the secret in words, and all of them without a secret; the owner can sign in without it', async () => {
  const limits = { ...readPlatformLimits({}), registrationsPerHour: 1 };
  const OWNER = { ownerSecret: 'of-the-owner', registration: 'owner', limits } as const;
  const { apiUrl } = await testPlatform(undefined, OWNER);
  const body = 'Only the person who started this Parley can register here. Start a Parley of your own.';
  const refused = { status: 403, type: PLAIN, body };
  for (const headers of [{}, { authorization: 'Bearer of-another' }])
    expect(await postAuth(apiUrl, ADA, headers)).toEqual(refused);
  expect((await postAuth(apiUrl, { ...ADA, name: '' })).status).toBe(401);
  const asOwner = { authorization: 'Bearer of-the-owner' };
  const registered = await postAuth(apiUrl, ADA, asOwner);
  expect(registered).toMatchObject({ status: 200 });
  expect(await postAuth(apiUrl, { ...ADA, name: '' })).toEqual(registered);
  const other = await testPlatform(undefined, { registration: 'owner' });
  for (const headers of [asOwner, { authorization: 'Bearer ' }])
    expect(await postAuth(other.apiUrl, ADA, headers)).toEqual(refused);
});

test('refuses registrations over the limit of an hour, and lets known accounts sign in', async () => {
  const limits = { ...readPlatformLimits({}), registrationsPerHour: 2 };
  const platform = await testPlatform(undefined, { limits });
  await platform.register();
  const register = (email: string) => postAuth(platform.apiUrl, { ...ADA, email });
  expect(await register('bob@example.org')).toMatchObject({ status: 200 });
  for (const [time, ms] of Object.entries({ '60 minutes': 0, '2 minutes': 3_480_000, '119 seconds': 1000 })) {
    platform.clock.advance(ms);
    const body = `Too many registrations. Try again in ${time}.`;
    expect(await register('eve@example.org')).toMatchObject({ status: 429, body });
  }
  expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200 });
  platform.clock.advance(119_000);
  expect(await register('eve@example.org')).toMatchObject({ status: 200 });
});

/** One email, as keyboards and programs write it: its letters, their case, and the forms of Unicode. */
const SPELLINGS = ['ada@zoë.ångström.example', 'ADA@ZOË.ÅNGSTRÖM.EXAMPLE', 'Ada@zoë.\u212Bngström.example'];
const [ONE = ''] = SPELLINGS;
const ALL = SPELLINGS.flatMap((email) => [email.normalize('NFC'), email.normalize('NFD'), email]);

test('the spellings of an email are one account: for a registration, a sign-in, a revocation and a restoration', async () => {
  const clock = virtualClock();
  const path = join(await temporaryFolder(), 'platform.sqlite');
  const store = openStore({ path, clock, logger: pino({ level: 'silent' }) });
  onTestFinished(() => store.close());
  const assistants = createDemonstrations({ clock, newId: () => 'm' });
  const accounts = createAccounts({ store, assistants, clock, passwordCost: 1024 });
  for (const registered of ['NFD', 'NFC']) {
    await store.remove();
    const entered = await accounts.enter({ ...ADA, email: ONE.normalize(registered) });
    expect(entered).toEqual({ id: expect.any(String) });
    for (const email of ALL) {
      const close = vi.fn<(code: number, reason: string) => void>();
      const socket = { send: () => undefined, close, terminate: () => undefined };
      accounts.conversationOf(Object(entered).id)?.addSocket(socket);
      expect([await accounts.setRevoked(email, false), close.mock.calls]).toEqual(['done', []]);
      expect(await accounts.enter({ ...ADA, email })).toMatchObject({ refused: { status: 409 } });
      expect(await accounts.enter({ ...ADA, email, name: '' })).toEqual(entered);
      expect(await accounts.setRevoked(email, true)).toBe('done');
      expect(close.mock.calls).toEqual([[4401, 'unauthorized']]);
      expect(await accounts.enter({ ...ADA, email, name: '' })).toMatchObject({ refused: { status: 403 } });
      expect(await accounts.setRevoked(email, false)).toBe('done');
    }
  }
  expect(accounts.list()).toMatchObject([{ email: ONE.normalize('NFC') }]);
});

const EMAIL = 'ada@example.org';
const numbered = (at: number) => `person${at}@example.org`;

function passwords() {
  const clock = virtualClock();
  const limit = createPasswordLimit(clock, 5);
  const fail = (times: number, email: (at: number) => string = () => EMAIL) => {
    for (let at = 0; at < times; at++) limit.failed(email(at));
  };
  return { clock, limit, fail };
}

test('returns no wait for the first four wrong passwords of an email, and doubles it with each further one, up to 16 s', () => {
  const { clock, limit, fail } = passwords();
  fail(4);
  expect([limit.waitFor(EMAIL), limit.waitFor('bob@example.org')]).toEqual([0, 0]);
  const waits = Array.from({ length: 7 }, () => {
    fail(1);
    const wait = limit.waitFor(EMAIL);
    clock.advance(wait);
    return wait;
  });
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 16_000, 16_000]);
  expect(limit.waitFor(EMAIL)).toBe(0);
  // More of them are not remembered: five minutes later, four of nine are left.
  clock.advance(300_000);
  fail(1);
  expect(limit.waitFor(EMAIL)).toBe(1000);
});

test('counts again from the start after a right password, and forgets a wrong one each minute, not before', () => {
  const { clock, limit, fail } = passwords();
  fail(4);
  limit.succeeded(EMAIL);
  fail(4);
  expect(limit.waitFor(EMAIL)).toBe(0);
  clock.advance(60_000);
  fail(1);
  expect(limit.waitFor(EMAIL)).toBe(0);
  limit.succeeded(EMAIL);
  for (let at = 0; at < 5; at++) {
    clock.advance(59_999);
    fail(1);
  }
  expect(limit.waitFor(EMAIL)).toBe(1000);
});

test('lets every email wait 4 s at most after many wrong passwords for many emails; remembers those of 1,000 emails, and forgets the oldest first', () => {
  const { limit, fail } = passwords();
  fail(29, numbered);
  expect(limit.waitFor(EMAIL)).toBe(0);
  fail(1, numbered);
  expect(limit.waitFor(EMAIL)).toBe(1000);
  limit.succeeded(numbered(0));
  fail(500, numbered);
  expect(limit.waitFor(EMAIL)).toBe(4000);
  const known = passwords();
  known.fail(9);
  known.fail(999, numbered);
  expect(known.limit.waitFor(EMAIL)).toBe(16_000);
  known.limit.failed('bob@example.org');
  expect(known.limit.waitFor(EMAIL)).toBe(4000);
});

test('spec §4.1: refuses wrong passwords sent at once after five, with a sentence, and the right one until the wait is over', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const logIn = (password: string, email: string = ADA.email) =>
    postAuth(platform.apiUrl, { email, password, name: '' });
  for (let count = 0; count < 6; count++) expect((await logIn('short')).status).toBe(422);
  // The case of an email's letters does not matter.
  const spellings = Array.from({ length: 6 }, () => [ADA.email, ADA.email.toUpperCase()]).flat();
  const wrong = await Promise.all(spellings.map((email) => logIn('engine1844!', email)));
  const statuses = wrong.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  const refused = { status: 429, body: 'Too many wrong passwords. Try again in 1 second.' };
  expect(wrong).toContainEqual(expect.objectContaining(refused));
  expect(await logIn(ADA.password)).toMatchObject(refused);
  platform.clock.advance(1000);
  expect(await logIn(ADA.password)).toMatchObject({ status: 200, body: account });
  for (let count = 0; count < 2; count++) expect((await logIn('engine1844!')).status).toBe(401);
});

test('a rate limit accepts what a window allows, and returns how long the next one waits', () => {
  const clock = virtualClock();
  const limit = createRateLimit(clock, { max: 2, windowMs: 60_000 });
  expect(limit.take('a')).toBe(0);
  clock.advance(10_000);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(50_000);
  for (let at = 0; at < 1000; at++) limit.take(numbered(at));
  expect(limit.take('b')).toBe(0);
  clock.advance(49_999);
  expect(limit.take('a')).toBe(1);
  clock.advance(1);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(10_000);
});
