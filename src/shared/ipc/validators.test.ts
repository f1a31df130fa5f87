import { expect, test } from 'vitest';
import * as limits from '../limits.ts';
import { INVOKED, SENT, RECEIVED } from './channels.ts';
import { invokedValidators, sentValidators } from './validators.ts';
import { Buffer } from 'node:buffer';
import { type Outgoing, encodeOutgoing, isWithinLimits, outgoingSchema } from '../protocol/outgoing.ts';

const spec = { ...sentValidators, ...invokedValidators };
const text = { category: 'text', text: 'hi', blob: null };
const credentials = { email: 'a@b.c', password: 'x', name: '' };

test.each<[keyof typeof spec, ...unknown[][]]>([
  ['messenger', []],
  ['message', [text]],
  ['logout', []],
  ['nav', ['close'], [], [1], [{ action: 'close' }]],
  ['encode', [new ArrayBuffer(3)]],
  ['auth', [credentials]],
])('spec §6.3: %s accepts %j', (channel, ...all) => {
  for (const args of all) expect(spec[channel].safeParse(args)).toMatchObject({ success: true, data: args });
});

test.each([
  [{ ...credentials, name: null }],
  [{ email: 'a@b.c', password: 'x' }],
  [{ ...credentials, admin: true }],
])('spec §2.1, §4.1, §6.3: auth treats a missing name as empty, and removes other fields: %j', (given) => {
  expect(invokedValidators.auth.parse([given])).toEqual([credentials]);
});

test.each<[keyof typeof spec, ...unknown[]]>([
  ['messenger', ['more']],
  ['message', [], [text, text], [{ ...text, blob: undefined }]],
  ['logout', [{ preventDefault: true }]],
  ['nav', ['close', 'close']],
  ['encode', [], [[1, 2, 3]], [{ byteLength: 3 }]],
  ['auth', [], [{ ...credentials, name: 1 }], [{ email: 'a@b.c', name: '' }], undefined],
])('contract §4: %s refuses %j', (channel, ...all) => {
  for (const args of all) expect([args, spec[channel].safeParse(args).success]).toEqual([args, false]);
});

test.each<[string, keyof typeof spec, unknown]>([
  ['a blob', 'message', { category: 'audio', text: null, blob: 'A'.repeat(limits.ENCODE_BYTES * 2) }],
  ['a name', 'message', { category: 'file', text: 'x'.repeat(limits.FILE_NAME_LENGTH + 1), blob: 'AAEC' }],
  ['bytes', 'encode', new ArrayBuffer(limits.ENCODE_BYTES + 1)],
  ['an email', 'auth', { ...credentials, email: 'x'.repeat(limits.CREDENTIAL_LENGTH + 1) }],
  ['a password', 'auth', { ...credentials, password: 'x'.repeat(limits.CREDENTIAL_LENGTH + 1) }],
])('refuses %s over its length', (_, channel, arg) => {
  expect(spec[channel].safeParse([arg]).success).toBe(false);
});

test('spec §6.3, contract §3, §4 names, §5: there are six channels to main, and five to the window; additional limits have their values', () => {
  expect([limits.PEER_SILENCE_MS, limits.MESSAGES_IN_DOCUMENT]).toEqual([10_000, 200]);
  expect([...SENT, ...INVOKED].sort()).toEqual(['auth', 'encode', 'logout', 'message', 'messenger', 'nav']);
  expect(RECEIVED).toEqual(['account', 'message', 'ws', 'record', 'playback']);
});

const textOf = (value: string) => ({ category: 'text', text: value, blob: null }) as const;
const blobOf = (bytes: number) => Buffer.alloc(bytes).toString('base64');
const file = (bytes: number) => ({ category: 'file', text: 'a.bin', blob: blobOf(bytes) }) as const;

test('spec §2.3 blob: encodes the fields in the order category, text, blob, a text of null, and no additional field', () => {
  const encoded = '{"category":"text","text":"hi","blob":null}';
  expect(encodeOutgoing({ blob: null, text: 'hi', category: 'text' })).toBe(encoded);
  const audio = { category: 'audio', text: null, blob: 'AAEC', account: 'x' } as const;
  expect(encodeOutgoing(audio)).toBe('{"category":"audio","text":null,"blob":"AAEC"}');
});

test.each<[string, Outgoing, boolean]>([
  ['spec §8 text length: accepts 1 character', textOf('a'), true],
  ['spec §8 text length: accepts 249 characters', textOf('a'.repeat(249)), true],
  ['spec §7 row 10: refuses 250 characters', textOf('a'.repeat(250)), false],
  ['contract §3: refuses 125 characters of two UTF-16 units each', textOf('🙂'.repeat(125)), false],
  ['spec §4.4: refuses an empty text', textOf(''), false],
  ['spec §8 file size: accepts 999,999 bytes', file(999_999), true],
  ['spec §7 row 9: refuses 1,000,000 bytes', file(1_000_000), false],
  ['spec §7 row 9: refuses an image of 1,000,000 bytes', { ...file(1_000_000), category: 'image' }, false],
  ['spec §8: does not limit audio so', { ...file(1_000_001), category: 'audio', text: null }, true],
])('%s', (_, outgoing, isWithin) => expect(isWithinLimits(outgoing)).toBe(isWithin));

test.each([
  ['another category', { category: 'html', text: 'hi', blob: null }],
  ['a text with a blob', { category: 'text', text: 'hi', blob: 'AAEC' }],
  ['a text that is null', { category: 'text', text: null, blob: null }],
  ['audio with a text', { category: 'audio', text: 'hi', blob: 'AAEC' }],
  ['a file without a name', { category: 'file', text: null, blob: 'AAEC' }],
  ['a blob that is not base64', { category: 'file', text: 'a', blob: '!!!!' }],
  ['a blob without padding', { category: 'file', text: 'a', blob: 'AAE' }],
  ['null', null],
])('spec §2.3 category: refuses %s', (_, value) => {
  expect(outgoingSchema.safeParse(value).success).toBe(false);
});
