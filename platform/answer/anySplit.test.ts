import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { itemsOf, writeAnswer } from './testing/writeAnswer.ts';

/** Pieces of Markdown in any order: most of them do not belong together. */
const MARKDOWN = [
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '  ',
  '    ',
  '\t',
  '#',
  '## ',
  '**',
  '*',
  '_',
  '`',
  '``',
  '```\n',
  '```ts\n',
  '~~~\n',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '2) ',
  '10. ',
  '> ',
  '>',
  '|',
  ' | ',
  '|-|-|\n',
  '|---|\n',
  ':-:',
  '---\n',
  '===\n',
  '***\n',
  '- [x] ',
  '[',
  ']',
  '![',
  '\\',
  '&amp;',
  '<b>',
  '</b>',
  '<br>',
  '<!--',
  '<https://example.org/>',
  '[a](https://example.org/b)',
  '![a](http://example.org/c.png)',
  '$',
  '.',
  ':',
  '[^1]: ',
  '[a]: ',
  '~~',
  '\uD83D\uDE00',
  '\uD83D',
  '\u0000',
  'https://example.org/d',
];

/** A piece, or a word: `word` and a number. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...MARKDOWN) },
  { weight: 2, arbitrary: fc.nat(9999).map((number) => `word${number}`) },
  { weight: 1, arbitrary: fc.nat(9999).map((number) => `word${number} `) },
);
const anySource = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

/** Cuts a source anywhere, also within characters and line ends. */
const cut = (source: string, cuts: readonly number[]): readonly string[] => {
  const at = [
    0,
    ...cuts.map((share) => Math.floor(share * source.length)).sort((a, b) => a - b),
    source.length,
  ];
  return at.slice(1).map((to, index) => source.slice(at[index], to));
};
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('gives the same items for every way to cut a source into parts, at any speed', () => {
  checkProperty(
    fc.property(anySource, fc.array(share, { maxLength: 12 }), fc.nat(200), (source, cuts, everyMs) => {
      const expected = writeAnswer([source]);
      expect(writeAnswer(cut(source, cuts), everyMs)).toEqual(expected);
      expect(writeAnswer(source.split(''), 1)).toEqual(expected);
    }),
    400,
  );
});

/** The lines that can be a fence: its information is not shown. */
const FENCE_LINE = /^.*(?:`{3}|~{3}).*$/gm;
const shownText = (items: readonly string[]) =>
  items.map((item) => (item.startsWith('html') ? item.replaceAll(/<[^<>]*>/g, ' ') : item)).join('\n');

test('shows every word of a source', () => {
  checkProperty(
    fc.property(anySource, (source) => {
      const shown = shownText(itemsOf(writeAnswer([source])));
      for (const word of source.replaceAll(FENCE_LINE, '').match(/word\d+/g) ?? [])
        expect(shown).toContain(word);
    }),
    600,
  );
});

test('shows only elements and attributes of Markdown', () => {
  const tag =
    /^<\/?(?:a|blockquote|br|code|del|details|em|h[1-6]|hr|li|ol|p|pre|strong|summary|table|tbody|td|th|thead|tr|ul)(?: (?:href|class|start|align)="[^"<>]*")*>$/;
  checkProperty(
    fc.property(anySource, (source) => {
      const html = (writeAnswer([source]).content ?? []).map((item) => item.html ?? '').join('');
      const others = (html.match(/<[^<>]*>?/g) ?? []).filter((found) => !tag.test(found));
      expect(others).toEqual([]);
    }),
    300,
  );
});
