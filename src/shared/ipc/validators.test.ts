import { describe, expect, test } from 'vitest';
import { CREDENTIAL_LENGTH, ENCODE_BYTES, FILE_NAME_LENGTH } from '../limits.ts';
import { INVOKED, SENT } from './channels.ts';
import { credentialsSchema, invokedValidators, sentValidators } from './validators.ts';

const spec = { ...sentValidators, ...invokedValidators };
const text = { category: 'text', text: 'hi', blob: null };
const credentials = { email: 'a@b.c', password: 'x', name: '' };

test('contract §4: every channel of the specification that a window may use has a validator, and no other', () => {
  expect(Object.keys(spec).sort()).toEqual([...SENT, ...INVOKED].sort());
});

describe('spec §6.3: arguments of a window', () => {
  test.each<[keyof typeof spec, unknown[]]>([
    ['messenger', []],
    ['message', [text]],
    ['message', [{ category: 'audio', text: null, blob: 'AAEC' }]],
    ['logout', []],
    ['nav', ['close']],
    ['nav', ['minimise']],
    ['nav', ['']],
    ['nav', []],
    ['nav', [1]],
    ['nav', [null]],
    ['nav', [{ action: 'close' }]],
    ['encode', [new ArrayBuffer(3)]],
    ['auth', [credentials]],
  ])('spec §6.3: %s accepts %j', (channel, args) => {
    expect(spec[channel].safeParse(args)).toMatchObject({ success: true, data: args });
  });

  test.each<[keyof typeof spec, unknown]>([
    ['messenger', ['more']],
    ['message', []],
    ['message', ['hi']],
    ['message', [text, text]],
    ['message', [{ ...text, category: 'html' }]],
    ['message', [{ ...text, blob: undefined }]],
    ['logout', [{ preventDefault: true }]],
    ['nav', ['close', 'close']],
    ['encode', []],
    ['encode', ['text']],
    ['encode', [[1, 2, 3]]],
    ['encode', [{ byteLength: 3 }]],
    ['auth', []],
    ['auth', [{ ...credentials, name: 1 }]],
    ['auth', [{ email: 'a@b.c', name: '' }]],
    ['auth', ['a@b.c', 'x', '']],
    ['auth', undefined],
  ])('contract §4: %s refuses %j', (channel, args) => {
    expect(spec[channel].safeParse(args).success).toBe(false);
  });

  test.each([[{ ...credentials, name: null }], [{ email: 'a@b.c', password: 'x' }]])(
    'spec §4.1, §6.3: auth treats a name that is null or missing as empty: %j',
    (given) => {
      expect(invokedValidators.auth.parse([given])).toEqual([credentials]);
    },
  );

  test('spec §2.1: auth removes fields that do not belong to the form', () => {
    const result = invokedValidators.auth.safeParse([{ ...credentials, admin: true }]);
    expect(result.data).toEqual([credentials]);
  });
});

test.each<[string, keyof typeof spec, unknown]>([
  ['a blob', 'message', { category: 'audio', text: null, blob: 'A'.repeat(ENCODE_BYTES * 2) }],
  ['a file name', 'message', { category: 'file', text: 'x'.repeat(FILE_NAME_LENGTH + 1), blob: 'AAEC' }],
  ['bytes', 'encode', new ArrayBuffer(ENCODE_BYTES + 1)],
  ['an email', 'auth', { ...credentials, email: 'x'.repeat(CREDENTIAL_LENGTH + 1) }],
  ['a password', 'auth', { ...credentials, password: 'x'.repeat(CREDENTIAL_LENGTH + 1) }],
])('refuses %s over its length', (_, channel, arg) => {
  expect(spec[channel].safeParse([arg]).success).toBe(false);
});

test.each([
  ['a name that is missing', {}],
  ['a name that is null', { name: null }],
  ['an empty name', { name: '' }],
])('spec §4.1: treats %s as a login', (_, name) => {
  expect(credentialsSchema.parse({ email: 'a', password: 'b', ...name })).toEqual({
    email: 'a',
    password: 'b',
    name: '',
  });
});

test.each([
  ['an object without a password', { email: 'a', name: '' }],
  ['a name that is a number', { email: 'a', password: 'b', name: 1 }],
  ['a list', ['a', 'b', 'c']],
  ['a text', 'a'],
])('spec §2.1: refuses %s as credentials', (_, value) => {
  expect(credentialsSchema.safeParse(value).success).toBe(false);
});
