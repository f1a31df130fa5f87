import { expect, test } from 'vitest';
import { audioType, imageType } from './mediaType.ts';
import { pictureType, imageSize } from './imageSize.ts';
import { decodeBase64 } from './decodeBase64.ts';

const base64 = (bytes: readonly number[]) => btoa(String.fromCharCode(...bytes));
const text = (words: string) => Array.from(words, (character) => character.charCodeAt(0));

test.each<[string, string, number[]]>([
  ['WebM', 'audio/webm', [0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42]],
  ['Ogg', 'audio/ogg', text('OggS\0\x02')],
  ['WAV', 'audio/wav', text('RIFF\x24\x45\0\0WAVEfmt ')],
  ['MP3 with a tag', 'audio/mpeg', text('ID3\x04\0')],
  ['MP3', 'audio/mpeg', [0xff, 0xfb, 0x90, 0x64]],
  ['AAC', 'audio/aac', [0xff, 0xf1, 0x50, 0x80]],
  ['MP4', 'audio/mp4', [0, 0, 0, 0x20, ...text('ftypM4A ')]],
  ['FLAC', 'audio/flac', text('fLaC\0')],
])('detects the media type of %s', (_, type, bytes) => {
  expect(audioType(base64(bytes))).toBe(type);
});

test.each<[string, string | null, number[]]>([
  ['PNG', 'image/png', [0x89, ...text('PNG\r\n'), 0x1a, ...text('\n'), 0, 0, 0, 13, ...text('IHDR')]],
  ['JPEG', 'image/jpeg', [0xff, 0xd8, 0xff, 0xe0, ...text('JFIF')]],
  ['GIF 89a', 'image/gif', text('GIF89a')],
  ['WebP', 'image/webp', [...text('RIFF'), 1, 200, 3, 44, ...text('WEBPVP8 ')]],
  ['AVIF', 'image/avif', [0, 0, 0, 0x20, ...text('ftypavif')]],
  ['an MP4 sound', null, [0, 0, 0, 0x20, ...text('ftypM4A ')]],
  ['BMP', 'image/bmp', [...text('BM'), 0x46, 0, 0, 0]],
  ['an icon', 'image/x-icon', [0, 0, 1, 0, 1, 0, 16, 16]],
  ['a WAV sound', null, [...text('RIFF'), 1, 2, 3, 4, ...text('WAVEfmt ')]],
  ['SVG', null, text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['nothing', null, []],
])('detects the picture type of %s: %s', (_, type, bytes) => {
  expect(pictureType(base64(bytes))).toBe(type);
});

test('spec §2.4 category: takes an image whose first bytes show no other type for SVG', () => {
  expect(imageType(base64(text('GIF89a')))).toBe('image/gif');
  expect(imageType(base64(text(' <!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>')))).toBe(
    'image/svg+xml',
  );
});

const bytesOf = (...numbers: number[]) => numbers.flatMap((one) => [one & 255, one >> 8]);
const svg = (content: string) => btoa(`<svg xmlns="http://www.w3.org/2000/svg" id="a">${content}</svg>`);
const gif = (width: number, height: number) =>
  base64([...text('GIF89a'), ...bytesOf(width, height), 0, 0, 0]);
const png = (width: number, ...more: number[]) => {
  const side = [0, 0, ...bytesOf(width).toReversed()];
  return base64([0x89, ...text('PNG\r\n\x1a\n....IHDR'), ...side, ...side, ...more]);
};

test.each([
  ['a text', base64(text('notes'))],
  ['no base64', '***'],
  ['an SVG that copies itself without end', svg('<use href="#a"/>')],
  ['more than a million characters of SVG', svg(' '.repeat(1_000_000))],
  ['an image of too many pixels', png(12_000)],
  ['an animation of many pixels', gif(5000, 5000)],
  ['an animated PNG of many pixels', png(5000, ...text('acTL'))],
  ['an image of an unknown size', base64([0xff, 0xd8, 0xff, ...text('?'.repeat(100))])],
])('contract §5 image over a limit: %s is not drawn', (_, blob) => {
  expect(imageType(blob)).toBeNull();
});

const base64Of = (...bytes: number[]) => Buffer.from(bytes).toString('base64');
const zeros = (count: number) => Array.from({ length: count }, () => 0);

const PNG_BYTES = [0x89, ...text('PNG\r\n\x1a\n'), ...zeros(8), 0, 0, 1, 2, 0, 0, 3, 4];
const AVIF = [0, 0, 0, 32, ...text('ftypavif'), ...zeros(9), ...text('ispe'), ...zeros(6), 1, 2, 0, 0, 0, 9];
const ICON_ENTRY = [...zeros(12), 22, 0, 0, 0, 40, 0, 0, 0, 0, 1, 0, 0, 32, 0, 0, 0];
const VP8X = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8X'), ...zeros(8), 0xff, 1, 0, 9, 0, 0];
const VP8L = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8L'), ...zeros(4), 0x2f, 0x63, 0x40, 0x0c, 0];
const VP8 = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8 '), ...zeros(10), 0x40, 1, 0xf0, 0];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 0, 5, 0, 7, 3];

test.each([
  ['PNG', PNG_BYTES, 258, 772],
  ['AVIF', AVIF, 258, 9],
  ['icon', [0, 0, 1, 0, 1, 0, ...ICON_ENTRY], 256, 32],
  [
    'GIF with a larger frame',
    [...text('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x21, 0xf9, 1, 0, 0, 0x2c, ...zeros(4), 10, 0, 1, 1],
    10,
    257,
  ],
  ['WebP with VP8X', VP8X, 512, 10],
  ['WebP with VP8L', VP8L, 100, 50],
  ['WebP with VP8', VP8, 320, 240],
  ['JPEG', JPEG, 7, 5],
  ['BMP with a short header', [...text('BM'), ...zeros(12), 12, 0, 0, 0, 3, 0, 2, 1], 3, 258],
])('reads the size of a %s', (...[, bytes, width, height]) => {
  expect(imageSize(base64Of(...bytes, 0, 0, 0))).toEqual({ width, height });
});

test('decodes base64 to bytes, and returns null for what is not base64', () => {
  for (const bytes of [Uint8Array.of(0, 127, 128, 255), new Uint8Array()])
    expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
  expect(['*', 'a', 'café'].map((one) => decodeBase64(one))).toEqual([null, null, null]);
});
