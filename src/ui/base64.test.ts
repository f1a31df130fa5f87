import { describe, expect, it } from 'vitest';
import { bytesOf, pictureType, pictureUrl } from './base64.ts';

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
  ).toString('base64');

describe('pictureType', () => {
  it.each([
    [base64(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0, 0, 13, 'IHDR'), 'image/png'],
    [base64(0xff, 0xd8, 0xff, 0xe0, 'JFIF'), 'image/jpeg'],
    [base64('GIF89a'), 'image/gif'],
    [base64('GIF87a'), 'image/gif'],
    [base64('RIFF', 1, 200, 3, 44, 'WEBPVP8 '), 'image/webp'],
    [base64('RIFF', 255, 255, 255, 255, 'WEBPVP8L'), 'image/webp'],
    [base64('RIFF', 1, 2, 3, 4, 'WAVEfmt '), null],
    [base64('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
    ['', null],
    ['not base64', null],
  ])('the first bytes of %s, %s', (blob, type) => {
    expect(pictureType(blob)).toBe(type);
  });

  it('a picture becomes an address, anything else none', () => {
    const gif = base64('GIF89a');
    expect(pictureUrl(gif)).toBe(`data:image/gif;base64,${gif}`);
    expect(pictureUrl(base64('%PDF-1.7'))).toBeNull();
  });
});

describe('bytesOf', () => {
  it('base64, its bytes', () => {
    expect(bytesOf(base64(0, 127, 128, 255))).toEqual(Uint8Array.of(0, 127, 128, 255));
    expect(bytesOf('')).toEqual(new Uint8Array());
  });

  it.each(['*', 'a', 'café'])('%s is no base64, null', (text) => {
    expect(bytesOf(text)).toBeNull();
  });
});
