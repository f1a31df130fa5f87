import { expect, test } from 'vitest';
import { NO_WORDS, wordsOf } from './words.ts';

const wordsIn = (fields: object) => wordsOf({ person: 'Ada', ...fields });

test('reads the words that a snapshot names, each once and in one order', () => {
  expect(wordsIn({ words: ['again', 'stop', 'again'] })).toEqual(['stop', 'again']);
  expect(wordsIn({ words: ['stop', 'again', 'continue'] })).toEqual(['stop', 'again', 'continue']);
});

test.each([undefined, null, 'stop', 3, {}, [], ['delete', 7, null, ['stop'], 'STOP']])(
  'reads no words from %j',
  (words) => {
    expect(wordsIn({ words })).toBe(NO_WORDS);
  },
);

test('reads no words from a snapshot without the field', () => {
  expect(wordsIn({})).toBe(NO_WORDS);
});
