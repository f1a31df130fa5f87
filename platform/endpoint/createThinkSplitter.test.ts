import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { createThinkSplitter } from './createThinkSplitter.ts';

/** Returns the reasoning and the text of chunks. */
function split(chunks: readonly string[], isReasoned = false): { reasoning: string; text: string } {
  const splitter = createThinkSplitter();
  if (isReasoned) splitter.expectNoReasoning();
  let reasoning = '';
  let text = '';
  for (const part of [...chunks.flatMap((chunk) => splitter.take(chunk)), ...splitter.end()]) {
    if (part.kind === 'reasoning') reasoning += part.text;
    else if (part.kind === 'text') text += part.text;
    else if (part.kind === 'reasoningEnded') {
      reasoning += text;
      text = '';
    }
  }
  return { reasoning, text };
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

test.each([
  ['on a line of its own', 'Hm.\nYes.\n</think>\n\nHello', { reasoning: 'Hm.\nYes.\n', text: 'Hello' }],
  ['with the line ends of Windows', 'Hm.\r\n</think>\r\n\r\nHello', { reasoning: 'Hm.\r\n', text: 'Hello' }],
  ['after the last word, before the answer', 'Hm.</think>Hello', { reasoning: 'Hm.', text: 'Hello' }],
  [
    'after a word without a full stop',
    'They greet me</think>**Hello**',
    { reasoning: 'They greet me', text: '**Hello**' },
  ],
  [
    'after a full stop of Chinese',
    '用户打招呼。</think>你好！',
    { reasoning: '用户打招呼。', text: '你好！' },
  ],
  ['after reasoning that is empty', '\n</think>\n\nHello', { reasoning: '\n', text: 'Hello' }],
  ['at the end of an answer of reasoning', 'Hm.\n</think>', { reasoning: 'Hm.\n', text: '' }],
  [
    'after complete code',
    '```\n</think>\n```\nHm.\n</think>\nHello',
    { reasoning: '```\n</think>\n```\nHm.\n', text: 'Hello' },
  ],
  ['only once', 'Hm.\n</think>\nA\n</think>\nB', { reasoning: 'Hm.\n', text: 'A\n</think>\nB' }],
  [
    'after a word that is the tag',
    'The </think> tag?\n</think>\nA',
    { reasoning: 'The </think> tag?\n', text: 'A' },
  ],
])('takes the text before a lone closing tag as reasoning: %s', (_, text, expected) => {
  expect(split([text])).toEqual(expected);
});

test.each([
  ['a word of a sentence', 'The </think> tag ends it.'],
  ['the last word of a line', 'The tag is </think>\n\nIt ends reasoning.'],
  ['the first word of a line', 'Tags:\n</think> ends it.'],
  ['a word before a comma', 'Tags:\n</think>, <b>'],
  ['quoted', 'It is called “</think>” here, or "</think>"here.'],
  ['a word of a text without spaces', '使用</think>标签'],
  ['code in a line', 'Write `x.</think>`\nor ``.</think>\n``'],
  ['in a block of code', 'Example:\n```xml\nHm.\n</think>\nHello\n```'],
  ['in a block of code with tildes', '~~~\n```\n</think>\n~~~'],
  ['in indented code', 'Example:\n\n    </think>\n'],
  ['the second tag of a pair', 'Models write\n<think>\nHm.\n</think>\nHello'],
  ['an item of a list', '- </think>\n- <think>'],
])('keeps a closing tag that is %s', (_, text) => {
  expect(split([text])).toEqual({ reasoning: '', text });
});

test('removes a lone tag before the first word of an answer whose reasoning came separately, and no other', () => {
  expect(split(['\n</think>\n\nHello'], true)).toMatchObject({ text: 'Hello' });
  expect(split(['A\n</think>\nB'], true)).toEqual({ reasoning: '', text: 'A\n</think>\nB' });
});

test('separates the same in any chunks', () => {
  const tags = fc.constantFrom('<think>', '</think>', '<thi', 'nk>', '</', '```', '`');
  const words = fc.constantFrom('\n', '\r\n', ' ', '         ', 'a', '.', '"', '好', '😀');
  checkProperty(
    fc.property(fc.array(fc.oneof(tags, words), { maxLength: 12 }), (pieces) => {
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
