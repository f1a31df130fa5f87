import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { createThinkSplitter } from './createThinkSplitter.ts';

/** Returns the reasoning and the text of chunks. */
function split(chunks: readonly string[]): { reasoning: string; text: string } {
  const splitter = createThinkSplitter();
  const result = { reasoning: '', text: '' };
  for (const part of [...chunks.flatMap((chunk) => splitter.take(chunk)), ...splitter.end()])
    if (part.kind === 'text' || part.kind === 'reasoning') result[part.kind] += part.text;
  return result;
}

test.each([
  ['Hello', '', 'Hello'],
  ['', '', ''],
  ['<think>Hm.</think>\n\nHello', 'Hm.', 'Hello'],
  ['\n <think>Hm.</think>Hello', 'Hm.', 'Hello'],
  ['<think></think>Hello', '', 'Hello'],
  ['<think>never closed </thin', 'never closed </thin', ''],
  ['<thin', '', '<thin'],
  ['<thinking>Hello', '', '<thinking>Hello'],
  ['Use <think>x</think>', '', 'Use <think>x</think>'],
  ['  indented', '', '  indented'],
  ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
])('separates %j', (text, reasoning, rest) => {
  expect(split([text])).toEqual({ reasoning, text: rest });
});

test('separates the same in any chunks', () => {
  const piece = fc.constantFrom('<think>', '</think>', '<thi', 'nk>', '</', '\n', ' ', 'a', '😀');
  checkProperty(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const whole = pieces.join('');
      expect(split(Array.from(whole))).toEqual(split([whole]));
      expect(split(pieces)).toEqual(split([whole]));
    }),
    1000,
  );
});

test('sends reasoning before it is closed, except what may be the closing tag', () => {
  const splitter = createThinkSplitter();
  expect(splitter.take('<think>one <')).toEqual([{ kind: 'reasoning', text: 'one ' }]);
  expect(splitter.take('b')).toEqual([{ kind: 'reasoning', text: '<b' }]);
});
