import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { type Outgoing, base64Bytes, encodeOutgoing, isWithinLimits, outgoingSchema } from './outgoing.ts';

const text = (value: string) => ({ category: 'text', text: value, blob: null }) as const;
const file = (bytes: number, category: 'image' | 'file' = 'file') => ({
  category,
  text: 'name.bin',
  blob: Buffer.alloc(bytes).toString('base64'),
});

describe('spec §2.3: the frame', () => {
  test('spec §2.3 blob: encodes fields in the order category, text, blob', () => {
    expect(encodeOutgoing({ blob: null, text: 'hi', category: 'text' })).toBe(
      '{"category":"text","text":"hi","blob":null}',
    );
  });

  test('spec §2.3: encodes audio with a text of null', () => {
    expect(encodeOutgoing({ category: 'audio', text: null, blob: 'AAEC' })).toBe(
      '{"category":"audio","text":null,"blob":"AAEC"}',
    );
  });

  test('spec §2.3: does not encode additional fields', () => {
    const more = { ...text('hi'), account: 'x' };
    expect(encodeOutgoing(more)).not.toContain('account');
  });
});

describe('spec §8: the limits', () => {
  test.each<[string, Outgoing, boolean]>([
    ['spec §8 text length: accepts 1 character', text('a'), true],
    ['spec §8 text length: accepts 249 characters', text('a'.repeat(249)), true],
    ['spec §7 row 10: refuses 250 characters', text('a'.repeat(250)), false],
    ['contract §3: refuses 125 characters of two UTF-16 units each', text('🙂'.repeat(125)), false],
    ['spec §4.4: refuses an empty text', text(''), false],
    ['spec §8 file size: accepts 0 bytes', file(0), true],
    ['spec §8 file size: accepts 999,998 bytes', file(999_998), true],
    ['spec §8 file size: accepts 999,999 bytes', file(999_999), true],
    ['spec §7 row 9: refuses 1,000,000 bytes', file(1_000_000), false],
    ['spec §7 row 9: refuses 1,000,001 bytes', file(1_000_001), false],
    ['spec §8 file size: accepts an image of 999,999 bytes', file(999_999, 'image'), true],
    ['spec §7 row 9: refuses an image of 1,000,000 bytes', file(1_000_000, 'image'), false],
  ])('%s', (_, outgoing, isWithin) => {
    expect(isWithinLimits(outgoing)).toBe(isWithin);
  });

  test('spec §8: does not limit audio to the size of a file', () => {
    expect(isWithinLimits({ ...file(1_000_001), category: 'audio', text: null })).toBe(true);
  });

  test('returns the number of bytes of any base64 text', () => {
    checkProperty(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base64Bytes(Buffer.from(bytes).toString('base64'))).toBe(bytes.length);
      }),
    );
  });
});

describe('spec §2.3: outgoing messages', () => {
  test.each([
    ['a text', text('hi')],
    ['audio', { category: 'audio', text: null, blob: 'AAEC' }],
    ['an image', { category: 'image', text: 'a.png', blob: 'AA==' }],
    ['a file', { category: 'file', text: 'a.bin', blob: 'AAE=' }],
    ['a file of a megabyte', file(1_000_000)],
  ])('spec §2.3 category: accepts %s', (_, value) => {
    expect(outgoingSchema.parse(value)).toEqual(value);
  });

  test.each([
    ['another category', { category: 'html', text: 'hi', blob: null }],
    ['no category', { text: 'hi', blob: null }],
    ['a text with a blob', { category: 'text', text: 'hi', blob: 'AAEC' }],
    ['a text without a blob field', { category: 'text', text: 'hi' }],
    ['a text that is null', { category: 'text', text: null, blob: null }],
    ['audio with a text', { category: 'audio', text: 'hi', blob: 'AAEC' }],
    ['a file without a name', { category: 'file', text: null, blob: 'AAEC' }],
    ['a file without a blob', { category: 'file', text: 'a', blob: null }],
    ['a blob that is not base64', { category: 'file', text: 'a', blob: '!!!!' }],
    ['a blob without padding', { category: 'file', text: 'a', blob: 'AAE' }],
    ['null', null],
  ])('spec §2.3 category: refuses %s', (_, value) => {
    expect(outgoingSchema.safeParse(value).success).toBe(false);
  });
});
