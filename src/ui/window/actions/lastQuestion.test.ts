import { expect, it } from 'vitest';
import { WORDS, fromSnapshot } from '#shared/conversation/conversation.ts';
import type { Message } from '#shared/protocol/update.ts';
import { message, text } from '#tests/browser/harness/message.ts';
import { lastQuestion, questionText } from './lastQuestion.ts';

const OWN = { modifier: 'client', context: 'Ada' };
const own = (said: string) => message('q', [text(said)], OWN);
const file = (name: string, contents: string | Uint8Array) =>
  message('q', [{ category: 'file', text: name, blob: Buffer.from(contents).toString('base64') }], OWN);
const ANSWER = message('a', [text('An answer.')]);
const NOTICE = message('n', [text('It failed.')], Object.assign({ modifier: 'admin' }, { notice: true }));
const DIVIDER = message('d', [text('New topic')], Object.assign({ modifier: 'admin' }, { divider: true }));

const conversationOf = (...messages: readonly Message[]) => fromSnapshot({ person: 'Ada', messages });

it.each<[string, Message[], number | undefined]>([
  ['the question of an answer', [own('Why?'), ANSWER], 0],
  ['a question without an answer', [ANSWER, own('Why?')], 1],
  [
    'a question before notices and the returned word that stopped its answer',
    [own('Why?'), NOTICE, own('Stop ')],
    0,
  ],
  ['no question of an earlier topic', [own('Why?'), ANSWER, DIVIDER], undefined],
  [
    'no picture',
    [own('Why?'), message('q', [{ category: 'image', text: 'a.png', blob: 'AAAA' }], OWN)],
    undefined,
  ],
  ['nothing in a conversation without a question', [ANSWER], undefined],
])('contract §3 edit: finds %s', (_, messages, index) => {
  const conversation = conversationOf(...messages);
  expect(lastQuestion({ conversation, words: WORDS })?.index).toBe(index);
  expect(lastQuestion({ conversation, words: ['again'] })).toBeNull();
});

const LONG = 'A long question. '.repeat(30);

it.each([
  ['of a text', own('Why?'), 'Why?'],
  ['of a text file', file('A long question.txt', LONG), LONG],
  ['of no file of another kind', file('a.csv', LONG), null],
  ['of no file for which the text box has no room', file('a.txt', 'x'.repeat(10_001)), null],
  ['of no empty file', file('a.txt', ''), null],
])('returns the text %s', (_, frame, expected) => {
  const question = lastQuestion({ conversation: conversationOf(frame), words: WORDS });
  expect(question && questionText(question.message)).toBe(expected);
});
