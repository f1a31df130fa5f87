import { expect, it } from 'vitest';
import { decodeBase64 } from './decodeBase64.ts';

it('decodes base64 to bytes', () => {
  expect(decodeBase64(Buffer.of(0, 127, 128, 255).toString('base64'))).toEqual(
    Uint8Array.of(0, 127, 128, 255),
  );
  expect(decodeBase64('')).toEqual(new Uint8Array());
});

it.each(['*', 'a', 'café'])('returns null for %s, which is not base64', (text) => {
  expect(decodeBase64(text)).toBeNull();
});
