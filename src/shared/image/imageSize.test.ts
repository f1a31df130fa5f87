import { expect, test } from 'vitest';
import { imageSize } from './imageSize.ts';

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');
const text = (words: string) => Array.from(words, (character) => character.charCodeAt(0));
const zeros = (count: number) => Array.from({ length: count }, () => 0);

const PNG = [0x89, ...text('PNG\r\n\x1a\n'), ...zeros(8), 0, 0, 1, 2, 0, 0, 3, 4];
const AVIF = [0, 0, 0, 32, ...text('ftypavif'), ...zeros(9), ...text('ispe'), ...zeros(6), 1, 2, 0, 0, 0, 9];
const ICON_ENTRY = [...zeros(12), 22, 0, 0, 0, 40, 0, 0, 0, 0, 1, 0, 0, 32, 0, 0, 0];
const VP8X = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8X'), ...zeros(8), 0xff, 1, 0, 9, 0, 0];
const VP8L = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8L'), ...zeros(4), 0x2f, 0x63, 0x40, 0x0c, 0];
const VP8 = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8 '), ...zeros(10), 0x40, 1, 0xf0, 0];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 0, 5, 0, 7, 3];

test.each([
  ['PNG', PNG, 258, 772],
  ['AVIF', AVIF, 258, 9],
  ['icon', [0, 0, 1, 0, 1, 0, ...ICON_ENTRY], 256, 32],
  ['icon of a PNG', [0, 0, 1, 0, 1, 0, ...zeros(12), 22, 0, 0, 0, ...PNG], 258, 772],
  [
    'GIF with a larger frame',
    [...text('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x21, 0xf9, 1, 0, 0, 0x2c, ...zeros(4), 10, 0, 1, 1],
    10,
    257,
  ],
  ['GIF', [...text('GIF89a'), 10, 0, 1, 1, 0, 0, 0], 10, 257],
  ['WebP with VP8X', VP8X, 512, 10],
  ['WebP with VP8L', VP8L, 100, 50],
  ['WebP with VP8', VP8, 320, 240],
  ['JPEG', JPEG, 7, 5],
  ['BMP with a short header', [...text('BM'), ...zeros(12), 12, 0, 0, 0, 3, 0, 2, 1], 3, 258],
  ['BMP', [...text('BM'), ...zeros(16), 3, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff], 3, 2],
])('reads the size of a %s', (...[, bytes, width, height]) => {
  expect(imageSize(base64(...bytes, 0, 0, 0))).toEqual({ width, height });
});

test.each([
  ['', 'of nothing'],
  ['%%%%', 'of what is not base64'],
  [base64(...text('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'of an SVG'],
  [base64(...PNG).slice(0, 24), 'of a header that is cut'],
  [base64(...JPEG.slice(0, 14), ...zeros(0)), 'of a JPEG without a frame'],
  [base64(...PNG.slice(0, 16), ...zeros(8)), 'of an image without pixels'],
])('reads no size of %j', (head) => {
  expect(imageSize(head)).toBeNull();
});
