import { describe, expect, it } from 'vitest';
import { decodeBase64, pictureUrl } from './base64.ts';

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
  ).toString('base64');

describe('pictureUrl', () => {
  it('returns a data URL for an image, as SVG when its type is unknown, and null for no bytes', () => {
    const gif = base64('GIF89a');
    expect(pictureUrl(gif)).toBe(`data:image/gif;base64,${gif}`);
    expect(pictureUrl(base64('<svg/>'))).toBe(`data:image/svg+xml;base64,${base64('<svg/>')}`);
    expect(pictureUrl('')).toBeNull();
  });
});

describe('decodeBase64', () => {
  it('returns the bytes of base64', () => {
    expect(decodeBase64(base64(0, 127, 128, 255))).toEqual(Uint8Array.of(0, 127, 128, 255));
    expect(decodeBase64('')).toEqual(new Uint8Array());
  });

  it.each(['*', 'a', 'café'])('returns null for %s, which is not base64', (text) => {
    expect(decodeBase64(text)).toBeNull();
  });
});
