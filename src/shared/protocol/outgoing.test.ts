import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '#tests/builders/property.ts';
import { type Outgoing, base64Bytes, encodeOutgoing, isWithinLimits, outgoingSchema } from './outgoing.ts';

const text = (value: string) => ({ category: 'text', text: value, blob: null }) as const;
const file = (bytes: number, category: 'image' | 'file' = 'file') => ({
  category,
  text: 'name.bin',
  blob: Buffer.alloc(bytes).toString('base64'),
});

describe('spec §2.3: the frame', () => {
  test('spec §2.3 blob: fields in another order, on the wire category, text, blob', () => {
    expect(encodeOutgoing({ blob: null, text: 'hi', category: 'text' })).toBe(
      '{"category":"text","text":"hi","blob":null}',
    );
  });

  test('spec §2.3: audio, its text null', () => {
    expect(encodeOutgoing({ category: 'audio', text: null, blob: 'AAEC' })).toBe(
      '{"category":"audio","text":null,"blob":"AAEC"}',
    );
  });

  test('spec §2.3: fields that are none of a message, not on the wire', () => {
    const more = { ...text('hi'), account: 'x' };
    expect(encodeOutgoing(more)).not.toContain('account');
  });
});

describe('spec §8: the limits', () => {
  test.each<[string, Outgoing, boolean]>([
    ['spec §8 text length: 1 character, within', text('a'), true],
    ['spec §8 text length: 249 characters, within', text('a'.repeat(249)), true],
    ['spec §7 row 10: 250 characters, not within', text('a'.repeat(250)), false],
    ['contract §3: 125 characters that `.length` counts twice, not within', text('🙂'.repeat(125)), false],
    ['spec §4.4: no character, not within', text(''), false],
    ['spec §8 file size: 0 bytes, within', file(0), true],
    ['spec §8 file size: 999,998 bytes, within', file(999_998), true],
    ['spec §8 file size: 999,999 bytes, within', file(999_999), true],
    ['spec §7 row 9: 1,000,000 bytes, not within', file(1_000_000), false],
    ['spec §7 row 9: 1,000,001 bytes, not within', file(1_000_001), false],
    ['spec §8 file size: an image of 999,999 bytes, within', file(999_999, 'image'), true],
    ['spec §7 row 9: an image of 1,000,000 bytes, not within', file(1_000_000, 'image'), false],
  ])('%s', (_, outgoing, isWithin) => {
    expect(isWithinLimits(outgoing)).toBe(isWithin);
  });

  test('spec §8: audio over a file’s size, not limited by it', () => {
    expect(isWithinLimits({ ...file(1_000_001), category: 'audio', text: null })).toBe(true);
  });

  test('base64 of any bytes, counted right', () => {
    holds(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base64Bytes(Buffer.from(bytes).toString('base64'))).toBe(bytes.length);
      }),
    );
  });
});

describe('spec §2.3: what is a message', () => {
  test.each([
    ['a text', text('hi')],
    ['an audio', { category: 'audio', text: null, blob: 'AAEC' }],
    ['an image', { category: 'image', text: 'a.png', blob: 'AA==' }],
    ['a file', { category: 'file', text: 'a.bin', blob: 'AAE=' }],
    ['a file of a megabyte', file(1_000_000)],
  ])('spec §2.3 category: %s, taken', (_, value) => {
    expect(outgoingSchema.parse(value)).toEqual(value);
  });

  test.each([
    ['another category', { category: 'html', text: 'hi', blob: null }],
    ['no category', { text: 'hi', blob: null }],
    ['a text with a blob', { category: 'text', text: 'hi', blob: 'AAEC' }],
    ['a text without its null', { category: 'text', text: 'hi' }],
    ['a text of null', { category: 'text', text: null, blob: null }],
    ['an audio with a text', { category: 'audio', text: 'hi', blob: 'AAEC' }],
    ['a file without a name', { category: 'file', text: null, blob: 'AAEC' }],
    ['a file without a blob', { category: 'file', text: 'a', blob: null }],
    ['a blob that is no base64', { category: 'file', text: 'a', blob: '!!!!' }],
    ['a blob without its padding', { category: 'file', text: 'a', blob: 'AAE' }],
    ['nothing', null],
  ])('spec §2.3 category: %s, refused', (_, value) => {
    expect(outgoingSchema.safeParse(value).success).toBe(false);
  });
});
