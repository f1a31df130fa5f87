import { describe, expect, test } from 'vitest';
import { SVG_COST } from '../limits.ts';
import { isCheapSvg } from './isCheapSvg.ts';
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
])('detects the media type of %s', (_, type, bytes) => expect(audioType(base64(bytes))).toBe(type));

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
])('detects the picture type of %s: %s', (_, type, bytes) => expect(pictureType(base64(bytes))).toBe(type));

test('spec §2.4 category: takes an image whose first bytes show no other type for SVG', () => {
  expect(imageType(base64(text('GIF89a')))).toBe('image/gif');
  const drawing = ' <!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>';
  expect(imageType(base64(text(drawing)))).toBe('image/svg+xml');
});

const bytesOf = (...numbers: number[]) => numbers.flatMap((one) => [one & 255, one >> 8]);
const gif = (width: number, height: number) =>
  base64([...text('GIF89a'), ...bytesOf(width, height), 0, 0, 0]);
const png = (width: number, ...more: number[]) => {
  const side = [0, 0, ...bytesOf(width).toReversed()];
  return base64([0x89, ...text('PNG\r\n\x1a\n....IHDR'), ...side, ...side, ...more]);
};
const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

test.each([
  ['a text', base64(text('notes'))],
  ['no base64', '***'],
  ['an SVG that copies itself without end', btoa(svg('<g id="a"><use href="#a"/></g>'))],
  ['more than a million characters of SVG', btoa(svg(' '.repeat(1_000_000)))],
  ['an image of too many pixels', png(12_000)],
  ['an animation of many pixels', gif(5000, 5000)],
  ['an animated PNG of many pixels', png(5000, ...text('acTL'))],
  ['an image of an unknown size', base64([0xff, 0xd8, 0xff, ...text('?'.repeat(100))])],
])('contract §5 image over a limit: %s is not drawn', (_, blob) => expect(imageType(blob)).toBeNull());

const zeros = (count: number) => Array.from({ length: count }, () => 0);

const PNG_BYTES = [0x89, ...text('PNG\r\n\x1a\n'), ...zeros(8), 0, 0, 1, 2, 0, 0, 3, 4];
const AVIF = [0, 0, 0, 32, ...text('ftypavif'), ...zeros(9), ...text('ispe'), ...zeros(6), 1, 2, 0, 0, 0, 9];
const ICON_ENTRY = [...zeros(12), 22, 0, 0, 0, 40, 0, 0, 0, 0, 1, 0, 0, 32, 0, 0, 0];
const VP8X = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8X'), ...zeros(8), 0xff, 1, 0, 9, 0, 0];
const VP8L = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8L'), ...zeros(4), 0x2f, 0x63, 0x40, 0x0c, 0];
const VP8 = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBPVP8 '), ...zeros(10), 0x40, 1, 0xf0, 0];
const GIF = [...text('GIF89a'), 1, 0, 1, 0, 0, 0, 0, 0x21, 0xf9, 1, 0, 0, 0x2c, ...zeros(4), 10, 0, 1, 1];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 0, 5, 0, 7, 3];

test.each([
  ['PNG', PNG_BYTES, 258, 772],
  ['AVIF', AVIF, 258, 9],
  ['icon', [0, 0, 1, 0, 1, 0, ...ICON_ENTRY], 256, 32],
  ['GIF with a larger frame', GIF, 10, 257],
  ['WebP with VP8X', VP8X, 512, 10],
  ['WebP with VP8L', VP8L, 100, 50],
  ['WebP with VP8', VP8, 320, 240],
  ['JPEG', JPEG, 7, 5],
  ['BMP with a short header', [...text('BM'), ...zeros(12), 12, 0, 0, 0, 3, 0, 2, 1], 3, 258],
])('reads the size of a %s', (...[, bytes, width, height]) => {
  expect(imageSize(base64([...bytes, 0, 0, 0]))).toEqual({ width, height });
});

test('decodes base64 to bytes, and returns null for what is not base64', () => {
  for (const bytes of [Uint8Array.of(0, 127, 128, 255), new Uint8Array()])
    expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
  expect(['*', 'a', 'café'].map((one) => decodeBase64(one))).toEqual([null, null, null]);
});

const repeated = (count: number, element: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => element(index)).join('');
const RECT = '<rect width="9" height="9"/>';
const imageUrl = (width: number) => `data:image/png;base64,${png(width)}`;
const USE = '<use href="#a"/>';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const DOCTYPE = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">';

test.each<[string, string]>([
  ['with a declaration, a document type and comments', `${XML}${DOCTYPE}<!-- a -->${svg(RECT)}\n<!-- b -->`],
  ['with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g><s:path d="M0 0"/></s:g></s:svg>'],
  [
    'with gradients, clips, copies and classes',
    svg(`<style>/* a */ .a, g > .b { fill: url(#g) }</style>
    <defs><linearGradient id="g" xlink:href="#h"/><linearGradient id="h"><stop offset="1"/></linearGradient><clipPath id="c">${RECT}</clipPath></defs>
    <g clip-path="url('#c')" style="opacity:.5"><path class="a" d="M0 0L9 9z" transform="translate(1 2)"/></g><use href="#c"/><text>Total: 5&#x20;%</text>`),
  ],
  ['with dashes', svg('<path d="M0 0L900 700" stroke-dasharray="4,2"/><text>a</text>')],
  ['with a script, which does not run', svg(`<script>if (1 &lt; 2) run('(')</script>${RECT}`)],
  ['with a small image', svg(`<image xlink:href="${imageUrl(500)}"/><image href="https://a.test/b"/>`)],
  ['with as many elements as permitted', svg(repeated(SVG_COST - 300, () => '<g/>'))],
])('a drawing %s is cheap', (_, source) => expect(isCheapSvg(source)).toBe(true));

const useOf = (level: number) => `<use xlink:href="#a${level}"/>`.repeat(2);
const copyOf = (level: number) => `<g id="a${level + 1}">${useOf(level)}</g>`;
const doubled = `<g id="a0">${RECT}</g>${repeated(17, copyOf)}`;
const patternOf = (level: number) => `<rect width="9" fill="url(#a${level})"/>`.repeat(2);
const patterns = repeated(17, (level) => `<pattern id="a${level + 1}">${patternOf(level)}</pattern>`);

const blend = (step: number) => `<feBlend in="${step - 1}" in2="${step - 1}" result="${step}"/>`;

describe('a drawing is not cheap', () => {
  test.each<[string, string]>([
    ['copies that double at each level', doubled],
    ['copies of themselves', `<g id="a">${USE}</g>`],
    ['copies of a whole drawing', `${USE.repeat(200)}<g id="a">${RECT.repeat(50)}</g>`],
    ['two elements with the id of a copy', `<g id="a"/><g id="a">${RECT.repeat(500)}</g>${USE.repeat(10)}`],
    ['an address that another one hides', doubled.replaceAll('<use', '<use href="#b"')],
    ['patterns within patterns', patterns],
    ['a pattern that is inherited', `<pattern id="a">${RECT}</pattern><g fill="url(#a)">${RECT}</g>`],
    ['a mask for all elements', `<style>*{mask:url(#a)}</style><mask id="a">${RECT}</mask>${RECT}`],
    ['many transparent groups', `<g style="opacity:.9">${RECT}</g>`.repeat(200)],
    ['steps of a filter that double', `<filter id="f">${repeated(22, blend)}</filter><g filter="url(#f)"/>`],
    ['an escaped function', '<g fill="u\\72l(#a)"/>'],
    ['an image of very many pixels', `<image href="${imageUrl(20_000)}"/>`],
    ['HTML', '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>'],
    ['animations', '<rect><animate attributeName="x" dur="1s" repeatCount="indefinite"/></rect>'],
    ['a very long text', `<text>${'a'.repeat(SVG_COST)}</text>`],
    ['a very long path', `<path d="M0 0${'L9 9'.repeat(90_000)}"/>`],
    ['dashes of a path length', '<circle r="300" pathLength="9000000" stroke-dasharray="1"/>'],
    ['very many elements', '<g/>'.repeat(SVG_COST + 1)],
    ['very many levels', '<g>'.repeat(2000) + '</g>'.repeat(2000)],
    ['an element without its end', '<g>'],
  ])('with %s', (_, content) => expect(isCheapSvg(svg(content))).toBe(false));

  test.each<[string, string]>([
    ['is empty', ''],
    ['has entities', `<!DOCTYPE svg [<!ENTITY a "${RECT}">]>${svg('&a;')}`],
    ['has an unknown entity in a namespace', svg(RECT, 'xmlns:a="&b;"').replaceAll('rect', 'a:rect')],
    ['has another encoding', `${XML.replace('UTF-8', 'ISO-2022-JP')}${svg(RECT)}`],
    ['has wide characters', Buffer.from(`\uFEFF${svg(RECT)}`, 'utf16le').toString('latin1')],
  ])('when it %s', (_, source) => expect(isCheapSvg(source)).toBe(false));
});

test('the time for a document is not quadratic in its length', () => {
  for (const source of [
    '<!--'.repeat(200_000),
    svg('<g a="'.repeat(150_000)),
    `<style>${'a{'.repeat(400_000)}`,
    svg(`<g ${repeated(50_000, (at) => `xmlns:a${at}="" `)}/>`),
    svg(`<style>${'@media'.repeat(3000)}</style>`.repeat(50)),
    svg('<clipPath id="a"/>'.repeat(2000) + `<g style="${'clip-path:url(#a);'.repeat(50_000)}"/>`),
    svg(`<style>${'/*'.repeat(450_000)}</style>`),
  ])
    expect(isCheapSvg(source)).toBe(false);
});
