import { describe, expect, test } from 'vitest';
import { SVG_COST } from '../limits.ts';
import { isCheapSvg } from './isCheapSvg.ts';

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const repeated = (count: number, element: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => element(index)).join('');
const RECT = '<rect width="9" height="9"/>';
const PNG = (width: number) => {
  const head = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAAAAAAAAAAAAA==', 'base64');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(width, 20);
  return head.toString('base64');
};
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const DOCTYPE =
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';

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
  [
    'with a small image',
    svg(`<image xlink:href="data:image/png;base64,${PNG(500)}"/><image href="https://a.test/b"/>`),
  ],
  ['with as many elements as permitted', svg(repeated(SVG_COST - 300, () => '<g/>'))],
])('a drawing %s is cheap', (_, source) => {
  expect(isCheapSvg(source)).toBe(true);
});

const uses = (levels: number) =>
  `<g id="a0">${RECT}</g>${repeated(levels, (level) => `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(2)}</g>`)}`;
const chain = (element: string, property: string) =>
  repeated(
    17,
    (level) =>
      `<${element} id="a${level + 1}">${`<rect width="9" ${property}="url(#a${level})"/>`.repeat(2)}</${element}>`,
  );

describe('a drawing is not cheap', () => {
  test.each<[string, string]>([
    ['copies that double at each level', uses(17)],
    ['copies of themselves', '<g id="a"><use href="#a"/></g>'],
    ['copies of a whole drawing', '<use href="#a"/>'.repeat(200) + `<g id="a">${RECT.repeat(50)}</g>`],
    [
      'two elements with the id of a copy',
      `<g id="a">${RECT}</g><g id="a">${RECT.repeat(500)}</g>${'<use href="#a"/>'.repeat(10)}`,
    ],
    ['an address that another one hides', uses(17).replaceAll('<use', '<use href="#b"')],
    ['patterns within patterns', chain('pattern', 'fill')],
    ['a pattern that is inherited', `<pattern id="a">${RECT}</pattern><g fill="url(#a)">${RECT}</g>`],
    ['a mask for all elements', `<style>*{mask:url(#a)}</style><mask id="a">${RECT}</mask>${RECT}`],
    ['many transparent groups', `<g style="opacity:.9">${RECT}</g>`.repeat(200)],
    [
      'steps of a filter that double',
      `<filter id="f">${repeated(22, (at) => `<feBlend in="${at - 1}" in2="${at - 1}" result="${at}"/>`)}</filter><g filter="url(#f)"/>`,
    ],
    ['an escaped function', '<g fill="u\\72l(#a)"/>'],
    ['an image of very many pixels', `<image href="data:image/png;base64,${PNG(20_000)}"/>`],
    ['HTML', '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>'],
    ['animations', '<rect><animate attributeName="x" dur="1s" repeatCount="indefinite"/></rect>'],
    ['a very long text', `<text>${'a'.repeat(SVG_COST)}</text>`],
    ['a very long path', `<path d="M0 0${'L9 9'.repeat(90_000)}"/>`],
    ['dashes of a path length', '<circle r="300" pathLength="9000000" stroke-dasharray="1"/>'],
    ['very many elements', '<g/>'.repeat(SVG_COST + 1)],
    ['very many levels', '<g>'.repeat(2000) + '</g>'.repeat(2000)],
    ['an element without its end', '<g>'],
  ])('with %s', (_, content) => {
    expect(isCheapSvg(svg(content))).toBe(false);
  });

  test.each<[string, string]>([
    ['is empty', ''],
    ['has entities', `<!DOCTYPE svg [<!ENTITY a "${RECT}">]>${svg('&a;')}`],
    ['has an unknown entity in a namespace', svg(RECT, 'xmlns:a="&b;"').replaceAll('rect', 'a:rect')],
    ['has another encoding', `${XML.replace('UTF-8', 'ISO-2022-JP')}${svg(RECT)}`],
    ['has wide characters', Buffer.from(`\uFEFF${svg(RECT)}`, 'utf16le').toString('latin1')],
  ])('when it %s', (_, source) => {
    expect(isCheapSvg(source)).toBe(false);
  });
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
