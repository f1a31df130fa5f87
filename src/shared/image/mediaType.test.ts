import { expect, test } from 'vitest';
import { audioType, imageType } from './mediaType.ts';
import { pictureType } from './imageSize.ts';

const base64 = (bytes: readonly number[]) => btoa(String.fromCharCode(...bytes));
const text = (words: string) => Array.from(words, (character) => character.charCodeAt(0));

test.each<[string, string, number[]]>([
  ['WebM', 'audio/webm', [0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42]],
  ['Ogg', 'audio/ogg', text('OggS\0\x02')],
  ['WAV', 'audio/wav', text('RIFF\x24\x45\0\0WAVEfmt ')],
  ['MP3 with a tag', 'audio/mpeg', text('ID3\x04\0')],
  ['MP3', 'audio/mpeg', [0xff, 0xfb, 0x90, 0x64]],
  ['MP3 with half the sample rate', 'audio/mpeg', [0xff, 0xf3, 0x40, 0xc0]],
  ['AAC', 'audio/aac', [0xff, 0xf1, 0x50, 0x80]],
  ['MP4', 'audio/mp4', [0, 0, 0, 0x20, ...text('ftypM4A ')]],
  ['MP4 with another length', 'audio/mp4', [0, 0, 0, 0x1d, ...text('ftypisom')]],
  ['FLAC', 'audio/flac', text('fLaC\0')],
])('detects the media type of %s', (_, type, bytes) => {
  expect(audioType(base64(bytes))).toBe(type);
});

test.each<[string, number[]]>([
  ['a text', text('no sound at all')],
  ['a WebP picture', text('RIFF\x24\x45\0\0WEBPVP8 ')],
  ['a JPEG picture', [0xff, 0xd8, 0xff, 0xe0]],
  ['nothing', []],
])('detects no sound in %s', (_, bytes) => {
  expect(audioType(base64(bytes))).toBeNull();
});

test.each<[string, string | null, number[]]>([
  ['PNG', 'image/png', [0x89, ...text('PNG\r\n'), 0x1a, ...text('\n'), 0, 0, 0, 13, ...text('IHDR')]],
  ['JPEG', 'image/jpeg', [0xff, 0xd8, 0xff, 0xe0, ...text('JFIF')]],
  ['GIF 89a', 'image/gif', text('GIF89a')],
  ['GIF 87a', 'image/gif', text('GIF87a')],
  ['WebP', 'image/webp', [...text('RIFF'), 1, 200, 3, 44, ...text('WEBPVP8 ')]],
  ['WebP of the largest size', 'image/webp', [...text('RIFF'), 255, 255, 255, 255, ...text('WEBPVP8L')]],
  ['AVIF', 'image/avif', [0, 0, 0, 0x20, ...text('ftypavif')]],
  ['an AVIF sequence', 'image/avif', [0, 0, 0, 0x2c, ...text('ftypavis')]],
  ['AVIF in a general image file', 'image/avif', [0, 0, 0, 0x20, ...text('ftypmif1')]],
  ['an MP4 sound', null, [0, 0, 0, 0x20, ...text('ftypM4A ')]],
  ['BMP', 'image/bmp', [...text('BM'), 0x46, 0, 0, 0]],
  ['an icon', 'image/x-icon', [0, 0, 1, 0, 1, 0, 16, 16]],
  ['a cursor', 'image/x-icon', [0, 0, 2, 0, 1, 0, 16, 16]],
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
const gif = (width: number, height: number) =>
  base64([...text('GIF89a'), ...bytesOf(width, height), 0, 0, 0]);
const png = (width: number, ...more: number[]) =>
  base64([
    0x89,
    ...text('PNG\r\n\x1a\n'),
    ...text('....IHDR'),
    0,
    0,
    ...bytesOf(width).toReversed(),
    0,
    0,
    ...bytesOf(width).toReversed(),
    ...more,
  ]);

test.each([
  ['an empty blob', ''],
  ['a text', base64(text('notes'))],
  ['no base64', '***'],
  [
    'an SVG that copies itself without end',
    btoa('<svg xmlns="http://www.w3.org/2000/svg" id="a"><use href="#a"/></svg>'),
  ],
  [
    'more than a million characters of SVG',
    btoa(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(1_000_000)}</svg>`),
  ],
  ['an image of too many pixels', png(12_000)],
  ['an animation of many pixels', gif(5000, 5000)],
  ['an animated PNG of many pixels', png(5000, ...text('acTL'))],
  ['an image of an unknown size', base64([0xff, 0xd8, 0xff, ...text('?'.repeat(100))])],
])('contract §5 image over a limit: %s is not drawn', (_, blob) => {
  expect(imageType(blob)).toBeNull();
});

test.each([
  ['large PNG', 'image/png', png(11_000)],
  ['animation', 'image/gif', gif(2000, 2000)],
])('a %s is drawn', (_, type, blob) => {
  expect(imageType(blob)).toBe(type);
});
