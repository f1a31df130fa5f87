import { expect, test } from 'vitest';
import { EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR, credentialsError } from './credentials.ts';
import { FORM_HINT, NO_RESPONSE_ERROR, UNKNOWN_ERROR } from './credentials.ts';
import { type AssistantSettings, assistantMistake } from './assistantSettings.ts';

const good = { email: 'ada@example.org', password: 'abc12!', name: '' };
const withEmail = (email: string) => credentialsError({ ...good, email });

test('spec §7, contract §3 texts: the texts are those of the specification', () => {
  expect([EMAIL_ERROR, PASSWORD_ERROR, NAME_ERROR, NO_RESPONSE_ERROR, UNKNOWN_ERROR, FORM_HINT]).toEqual([
    'Not a valid email.',
    'Password must be 6 to 16 long, with a symbol and a number.',
    'Name must be at least 5 long.',
    "Can't connect to the server.",
    'Unknown error occured.',
    'Log in, or enter a name to register.',
  ]);
});

test('spec §7 row 4: returns only the first error, if any', () => {
  const bad = { email: 'ada', password: 'abc', name: 'Al' };
  expect(credentialsError(bad)).toBe(EMAIL_ERROR);
  expect(credentialsError({ ...bad, email: good.email })).toBe(PASSWORD_ERROR);
  expect(credentialsError({ ...good, name: bad.name })).toBe(NAME_ERROR);
  expect(credentialsError(good)).toBeNull();
});

const wrong = ['', 'ada', 'ada@', 'ada@example.', 'ada@example..org', 'ada@example.org.', 'ada@example-.org'];
const others = ['ada@exa_mple.org', 'ada@example.org\n', 'zoë@example.org', `ada@${'a'.repeat(64)}.org`];

test.each([...wrong, ...others])('spec §7 row 1, §2.1 email: refuses %j', (email) => {
  expect(withEmail(email)).toBe(EMAIL_ERROR);
});

test('spec §2.1: accepts an email of up to 320 characters, and refuses longer ones without backtracking', () => {
  for (const email of ['a@b.c', 'ada.lovelace+notes@mail.example.co.uk', `${'a'.repeat(308)}@example.org`])
    expect(withEmail(email)).toBeNull();
  expect(withEmail(`${'a'.repeat(309)}@example.org`)).toBe(EMAIL_ERROR);
  // A pattern that backtracks takes longer than the test's timeout.
  for (const email of [`${'a'.repeat(100_000)} `, `a@${'.'.repeat(100_000)}`])
    expect(withEmail(email)).toBe(EMAIL_ERROR);
});

const badPasswords = [
  '',
  'abc1!',
  'abcdefghijklmno1!',
  'abcdef!',
  'abcdef1',
  'abcd1!?',
  'abcde١!',
  'abcd1!\n',
];

test.each(badPasswords)('spec §7 row 2, §2.1 password, §8 password: refuses the password %j', (password) => {
  expect(credentialsError({ ...good, password })).toBe(PASSWORD_ERROR);
});

const errorsOf = (names: readonly string[]) => names.map((name) => credentialsError({ ...good, name }));
const goodNames = [
  '',
  'Adele',
  'A'.repeat(30),
  'Ada Lovelace',
  'हिन्दी नाम',
  '𐐀𐐁𐐂𐐃𐐄',
  'Zoe\u0308 Mu\u0308ller',
];
const badNames = ['Adam', 'A'.repeat(31), 'Ada Lovelace 2', 'Ada-Lovelace', '🙂🙂🙂🙂🙂'];

test('spec §7 row 3, §2.1 name, §8 name: accepts a name of 5 to 30 letters and spaces of any script, or none, and refuses others', () => {
  expect(errorsOf(goodNames)).toEqual(goodNames.map(() => null));
  expect(errorsOf(badNames)).toEqual(badNames.map(() => NAME_ERROR));
});

const VALID: AssistantSettings = { url: 'http://127.0.0.1:11434/v1', model: null, key: null, prompt: null };
const mistake = (change: Partial<AssistantSettings>) => assistantMistake({ ...VALID, ...change });

test('accepts addresses of both schemes, and a model, a key and a long prompt', () => {
  for (const url of [VALID.url, 'HTTPS://api.example.org', 'http://[::1]:8080/v1/'])
    expect(mistake({ url })).toBeUndefined();
  expect(mistake({ model: 'qwen3:8b', key: 'sk-1/+=_', prompt: 'é\n'.repeat(5000) })).toBeUndefined();
});

const wrongUrls = ['', '127.0.0.1:11434', 'ftp://example.org', 'http://', 'http://ada:secret@example.org/v1'];

test.each(wrongUrls)('refuses the address %j in words', (url) => {
  const words = 'The address must begin with http:// or https:// and contain no user name, for example';
  expect(mistake({ url })).toEqual({ field: 'url', message: `${words} ${VALID.url}` });
});

const wrongKeys = ['', 'two words', 'line\n', 'ключ', 'k'.repeat(4001)];

test.each(wrongKeys)('refuses the key %j without naming it', (key) => {
  const found = mistake({ key });
  expect(found).toMatchObject({ field: 'key' });
  expect(found?.message.split(key || '?')).toHaveLength(1);
});
