import { expect, test } from 'vitest';
import { SettingsError } from '#shared/settings.ts';
import { virtualClock } from '#shared/clock.ts';
import { postAuth } from '../testing/testPlatform.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';
import { createPasswordLimit, createRateLimit, readPlatformLimits } from './platformLimits.ts';

test('returns the defaults without variables', () => {
  expect(readPlatformLimits({ PARLEY_PLATFORM_MESSAGE_BYTES: '' })).toEqual({
    messagesPerMinute: 120,
    messageBytes: 2_000_000,
    wrongPasswords: 5,
    registrationsPerHour: 200,
  });
});

test('reads each variable', () => {
  const limits = readPlatformLimits({
    PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '30',
    PARLEY_PLATFORM_MESSAGE_BYTES: '1000',
    PARLEY_PLATFORM_WRONG_PASSWORDS: '3',
    PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR: '9',
  });
  expect(limits).toEqual({
    messagesPerMinute: 30,
    messageBytes: 1000,
    wrongPasswords: 3,
    registrationsPerHour: 9,
  });
});

test.each([
  ['PARLEY_PLATFORM_MESSAGES_PER_MINUTE', '0', 'a whole number, 1 to 1000000'],
  ['PARLEY_PLATFORM_MESSAGES_PER_MINUTE', 'many', 'a whole number, 1 to 1000000'],
  ['PARLEY_PLATFORM_MESSAGE_BYTES', '999', 'a whole number, 1000 to 2000000'],
  ['PARLEY_PLATFORM_MESSAGE_BYTES', '2000001', 'a whole number, 1000 to 2000000'],
  ['PARLEY_PLATFORM_WRONG_PASSWORDS', '1.5', 'a whole number, 1 to 1000'],
  ['PARLEY_PLATFORM_WRONG_PASSWORDS', '-1', 'a whole number, 1 to 1000'],
  ['PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR', '0', 'a whole number, 1 to 1000000'],
])('rejects %s=%s with one line that names it', (variable, value, range) => {
  const read = () => readPlatformLimits({ [variable]: value });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(`${variable} takes ${range}`);
});

const EMAIL = 'ada@example.org';
const numbered = (at: number) => `person${at}@example.org`;

function start() {
  const clock = virtualClock();
  const limit = createPasswordLimit(clock, 5);
  const fail = (times: number, email: string | ((at: number) => string) = EMAIL) => {
    for (let at = 0; at < times; at++) limit.failed(typeof email === 'string' ? email : email(at));
  };
  return { clock, limit, fail };
}

test('returns no wait for the first four wrong passwords of an email', () => {
  const { limit, fail } = start();
  fail(4);
  expect(limit.waitFor(EMAIL)).toBe(0);
  fail(1);
  expect([limit.waitFor(EMAIL), limit.waitFor('bob@example.org')]).toEqual([1000, 0]);
});

test('doubles the wait with each further wrong password, up to 16 s', () => {
  const { clock, limit, fail } = start();
  fail(4);
  const waits = Array.from({ length: 7 }, () => {
    fail(1);
    const wait = limit.waitFor(EMAIL);
    clock.advance(wait);
    return wait;
  });
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 16_000, 16_000]);
  expect(limit.waitFor(EMAIL)).toBe(0);
});

test('counts again from the start after a right password', () => {
  const { limit, fail } = start();
  fail(4);
  limit.succeeded(EMAIL);
  fail(4);
  expect(limit.waitFor(EMAIL)).toBe(0);
});

test('forgets a wrong password each minute', () => {
  const { clock, limit, fail } = start();
  fail(4);
  clock.advance(60_000);
  fail(1);
  expect(limit.waitFor(EMAIL)).toBe(0);
});

test('lets every email wait 4 s at most after many wrong passwords for many emails', () => {
  const { limit, fail } = start();
  fail(29, numbered);
  expect(limit.waitFor(EMAIL)).toBe(0);
  fail(1, numbered);
  expect(limit.waitFor(EMAIL)).toBe(1000);
  limit.succeeded(numbered(0));
  fail(500, numbered);
  expect(limit.waitFor(EMAIL)).toBe(4000);
});

test('remembers a thousand emails, and forgets the oldest first', () => {
  const { clock, limit, fail } = start();
  fail(10);
  fail(1000, numbered);
  clock.advance(4000);
  expect(limit.waitFor(EMAIL)).toBe(0);
});

test('spec §4.1: refuses wrong passwords sent at once after five, with a sentence, and the right one until the wait is over', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const logIn = (password: string, email: string = ADA.email) =>
    postAuth(platform.apiUrl, { email, password, name: '' });
  // The case of an email's letters does not matter.
  const spellings = Array.from({ length: 12 }, (_, at) =>
    at % 2 === 0 ? ADA.email : ADA.email.toUpperCase(),
  );
  const wrong = await Promise.all(spellings.map((email) => logIn('engine1844!', email)));
  const statuses = wrong.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  const refused = { status: 429, body: 'Too many wrong passwords. Try again in 1 second.' };
  expect(wrong).toContainEqual(expect.objectContaining(refused));
  expect(await logIn(ADA.password)).toMatchObject(refused);
  platform.clock.advance(1000);
  expect(await logIn(ADA.password)).toMatchObject({ status: 200, body: account });
});

test('forgets the wrong passwords after a right one', async () => {
  const platform = await testPlatform();
  await platform.register();
  const logIn = (password: string) => postAuth(platform.apiUrl, { ...ADA, password, name: '' });
  const wrong = Array.from({ length: 4 }, () => 'engine1844!');
  const statuses: number[] = [];
  for (const password of [...wrong, ADA.password, ...wrong, ADA.password])
    statuses.push((await logIn(password)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 200, 401, 401, 401, 401, 200]);
});

test('does not limit right passwords', async () => {
  const { apiUrl, register } = await testPlatform();
  await register();
  const answers = await Promise.all(Array.from({ length: 12 }, () => postAuth(apiUrl, { ...ADA, name: '' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('accepts what a window allows, and returns how long the next one waits', () => {
  const clock = virtualClock();
  const limit = createRateLimit(clock, { max: 2, windowMs: 60_000 });
  expect(limit.take('a')).toBe(0);
  clock.advance(10_000);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(50_000);
  expect(limit.take('b')).toBe(0);
  clock.advance(49_999);
  expect(limit.take('a')).toBe(1);
  clock.advance(1);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(10_000);
});

test('remembers a key that is used while many others are', () => {
  const clock = virtualClock();
  const limit = createRateLimit(clock, { max: 1, windowMs: 60_000 });
  for (let account = 0; account < 1500; account++) expect(limit.take(`${account}`)).toBe(0);
  expect(limit.take('0')).toBe(60_000);
  clock.advance(60_000);
  expect(limit.take('0')).toBe(0);
});
