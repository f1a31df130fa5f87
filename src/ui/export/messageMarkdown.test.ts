import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { textMarkdown } from './messageMarkdown.ts';

test.each([
  ['a plain sentence, with 3 words (and more).', 'a plain sentence, with 3 words (and more).'],
  ['*a* _b_ `c` [d](e) <f> ~g~', String.raw`\*a\* \_b\_ \`c\` \[d\](e) \<f> \~g\~`],
  ['snake_case and 2 * 3', String.raw`snake_case and 2 \* 3`],
  ['# a', String.raw`\# a`],
  ['#tag', '#tag'],
  ['- a', String.raw`\- a`],
  ['-5 degrees', '-5 degrees'],
  ['1. a', String.raw`1\. a`],
  ['1.5', '1.5'],
  ['> a', String.raw`\> a`],
  ['a\n===', 'a\\\n\\==='],
  ['a\n---', 'a\\\n\\---'],
  ['a | b', String.raw`a \| b`],
  ['&amp; & b', String.raw`\&amp; & b`],
  ['a\r\nb\rc', 'a\\\nb\\\nc'],
  ['a  \n\n b', 'a\n\n\u00A0b'],
  ['see https://example.org/a_b_c.', 'see <https://example.org/a_b_c>.'],
])('converts %j to Markdown that shows it', (text, markdown) => {
  expect(textMarkdown(text)).toBe(markdown);
});

const CHARACTERS = Array.from('*_`#+-=|[]{}!\\<>&~:.1a \n');
const anyText = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 30 }).map((all) => all.join(''));

test('keeps every character of every line, and escapes what would be more than a character', () => {
  checkProperty(
    fc.property(anyText, (text) => {
      const shown = textMarkdown(text)
        .replaceAll('\\\n', '\n')
        .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
        .replaceAll('\u00A0', ' ');
      expect(shown).toBe(text.replaceAll(/[ ]+$/gmu, ''));
      expect(textMarkdown(text)).not.toMatch(/(?<!\\)(?:\\\\)*[*`[\]<|~]|^(?:>|#{1,6}(?:\s|$)|[-+]\s)/mu);
    }),
    300,
  );
});
