import { expect, it } from 'vitest';
import { fromSnapshot, NO_WORDS, WORDS, type Word } from '#shared/conversation/conversation.ts';
import type { Message } from '#shared/protocol/update.ts';
import { message, text } from '#tests/browser/harness/message.ts';
import { isRunning } from '#shared/conversation/display.ts';
import { endedAnswer } from '../actions/LabelButtons.tsx';
import { answerWords, isLoading, isUnfinished, nameInLabel, rowWords } from './AnswerButtons.tsx';
import { vectorOf } from '#shared/conversation/vector.ts';
import { assistantName } from './Composer.tsx';
import { lastQuestion, questionText } from '../actions/lastQuestion.ts';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { quoteText } from '../actions/useActionEffects.ts';

const COMPLETE = { runs: false, unfinished: false };
const RUNS = { runs: true, unfinished: false };
const UNFINISHED = { runs: false, unfinished: true };

it.each([
  ['Parley', 'Parley', COMPLETE],
  ['Parley is writing…', 'Parley', RUNS],
  ['Parley is thinking…', 'Parley', RUNS],
  ['qwen3:8b is thinking, 12 s…', 'qwen3:8b', RUNS],
  ['org/model-1.5 is loading the model…', 'org/model-1.5', RUNS],
  ['llama3:8b is loading the model, next try in 4 s…', 'llama3:8b', RUNS],
  ['qwen3:8b · cut off', 'qwen3:8b', UNFINISHED],
  ['Parley is writing code, 14 lines…', 'Parley', RUNS],
  ['Who is writing is writing a table…', 'Who is writing', RUNS],
  ['Looking it up…', '', RUNS],
  ['Parley · 312 tokens · …', 'Parley', RUNS],
  ['Parley · stopped', 'Parley', UNFINISHED],
  ['Parley · cut off', 'Parley', UNFINISHED],
  ['Parley · stopped ', 'Parley · stopped ', UNFINISHED],
  ['Parley · 312 tokens · first after 0.4 s · 38 tokens/s', 'Parley', COMPLETE],
  ['Parley · 1 token', 'Parley', COMPLETE],
  ['Parley · 1,312 tokens · stopped', 'Parley', UNFINISHED],
  ['Ada · Support', 'Ada · Support', COMPLETE],
  ['Ada is writing', 'Ada is writing', COMPLETE],
  ['stopped', 'stopped', COMPLETE],
  ['', '', COMPLETE],
])('contract §9 label: reads the label %j', (label, name, { runs, unfinished }) => {
  expect([nameInLabel(label), isRunning(label), isUnfinished(label)]).toEqual([name, runs, unfinished]);
});

type Sent = readonly [modifier: string, context: string, words?: string, fields?: object];

const conversationOf = (list: readonly Sent[]) =>
  fromSnapshot({
    person: 'Ada',
    messages: list.map(([modifier, context, said = 'Hello.', fields], at) =>
      message(String(at), [text(said)], {
        context,
        ...(modifier === 'notice' ? { modifier: 'admin', notice: true } : { modifier }),
        ...fields,
      }),
    ),
  });

it.each([
  ['llama3:8b is loading the model…', true],
  ['llama3:8b is loading the model, next try in 4 s…', true],
  ['llama3:8b is thinking…', false],
  ['llama3:8b is loading the model', false],
])('contract §9 label: tells whether an answer waits for its model, at %j: %j', (label, waits) => {
  expect(isLoading(conversationOf([['ai', label]]))).toBe(waits);
});

const wordsAfter = (list: readonly Sent[], words: readonly Word[] = WORDS) =>
  answerWords({ words, conversation: conversationOf(list) });

it.each<[string, Sent[], Word[]]>([
  ['stop while the newest answer runs', [['ai', 'Parley is writing…']], ['stop']],
  ['again after an answer', [['ai', 'Parley']], ['again', 'new topic']],
  ['again and continue after a stop', [['ai', 'Parley · stopped']], ['again', 'continue', 'new topic']],
  ['again and continue after a cut', [['ai', 'Parley · cut off']], ['again', 'continue', 'new topic']],
  [
    'again after an answer with its usage',
    [['ai', 'Parley · 312 tokens · 38 tokens/s']],
    ['again', 'new topic'],
  ],
  [
    'again and continue after the returned word that stopped the answer',
    [
      ['ai', 'Parley · stopped'],
      ['client', 'Ada', ' Stop '],
    ],
    ['again', 'continue', 'new topic'],
  ],
  [
    'again after a notice of the platform',
    [
      ['ai', 'Parley'],
      ['admin', 'Parley'],
    ],
    ['again', 'new topic'],
  ],
  [
    'again and continue after the notice that says why the answer ended',
    [
      ['ai', 'llama · cut off'],
      ['admin', '', 'The answer reached the limit.', { notice: true, action: 'continue' }],
    ],
    ['again', 'continue', 'new topic'],
  ],
  [
    'nothing at the beginning of a topic',
    [
      ['ai', 'llama'],
      ['admin', '', 'New topic', { divider: true }],
    ],
    [],
  ],
  [
    'again after a notice that has replaced an answer',
    [
      ['client', 'Ada'],
      ['notice', ''],
      ['client', 'Ada', 'stop'],
    ],
    ['again', 'new topic'],
  ],
  [
    'stop while a notice says that the answer waits',
    [
      ['client', 'Ada'],
      ['notice', '', 'Trying again in 5 s.', { action: 'cancel' }],
    ],
    ['stop'],
  ],
  ['nothing after a greeting that is a notice', [['notice', '']], []],
  [
    'stop after a question, before its answer has begun',
    [
      ['ai', 'Parley'],
      ['client', 'Ada'],
    ],
    ['stop'],
  ],
  [
    'stop while an answer is requested again',
    [
      ['ai', 'Parley · stopped'],
      ['client', 'Ada', 'again'],
    ],
    ['stop'],
  ],
  [
    'only a new topic after a question and the word that stopped its answer',
    [
      ['client', 'Ada'],
      ['client', 'Ada', 'stop'],
    ],
    ['new topic'],
  ],
  [
    'only a new topic after an answer that seems to run but is not the newest message',
    [
      ['ai', 'Parley is writing…'],
      ['client', 'Ada', 'stop'],
    ],
    ['new topic'],
  ],
  [
    'a new topic after a notice without an answer',
    [
      ['client', 'Ada'],
      ['admin', ''],
    ],
    ['new topic'],
  ],
  ['nothing before the first message', [], []],
])('offers %s', (_, list, expected) => {
  expect(wordsAfter(list)).toEqual(expected);
});

const DIVIDER = { modifier: 'admin', divider: true };

const wordsIn = (...messages: Message[]) =>
  answerWords({ words: WORDS, conversation: fromSnapshot({ person: 'Ada', messages }) });

it('offers nothing after a divider, and no word about an answer before it', () => {
  const divider = message('2', [text('New topic')], DIVIDER);
  const question = message('3', [text('stop')], { modifier: 'client' });
  expect(wordsIn(message('1', [text('Hello.')]), divider)).toBe(NO_WORDS);
  expect(wordsIn(message('1', [text('Hello.')]), divider, question)).toEqual(['new topic']);
});

it('offers only the words that the assistant understands', () => {
  expect(wordsAfter([['ai', 'Parley · stopped']], ['stop', 'again'])).toEqual(['again']);
  expect(wordsAfter([['ai', 'Parley · stopped']], ['stop'])).toBe(NO_WORDS);
  expect(wordsAfter([['ai', 'Parley is writing…']], [])).toBe(NO_WORDS);
});

const LIMIT: Sent = ['admin', '', 'It reached the limit.', { notice: true, action: 'continue' }];

it.each<[string, Sent[], number | null, Word[]]>([
  ['an answer', [['ai', 'llama']], 0, ['new topic']],
  ['an answer that runs', [['ai', 'llama is writing…']], null, ['stop']],
  [
    'the word that stopped an answer',
    [
      ['ai', 'llama · stopped'],
      ['client', 'Ada', 'stop'],
    ],
    0,
    ['continue', 'new topic'],
  ],
  ['a notice about the end of an answer', [['ai', 'llama · cut off'], LIMIT], 0, ['new topic']],
  [
    'a notice in place of an answer',
    [
      ['client', 'Ada'],
      ['notice', '', 'It failed.', { action: 'again' }],
    ],
    null,
    ['new topic'],
  ],
  [
    'a notice without a button in place of an answer',
    [
      ['client', 'Ada'],
      ['notice', '', 'It failed.'],
    ],
    null,
    ['again', 'new topic'],
  ],
  [
    'the next question',
    [
      ['ai', 'llama'],
      ['client', 'Ada'],
    ],
    null,
    ['stop'],
  ],
  [
    'a divider',
    [
      ['ai', 'llama'],
      ['admin', '', 'New topic', { divider: true }],
    ],
    null,
    [],
  ],
])(
  'offers each word once after %s: at the end of the answer, in a notice or in the row',
  (...[, list, at, row]) => {
    const conversation = conversationOf(list);
    expect(endedAnswer(conversation)).toBe(at);
    expect(rowWords({ conversation, words: WORDS })).toEqual(row);
  },
);

const nameOf = (...messages: readonly (readonly [modifier: string, context: string])[]) =>
  assistantName({ messages: vectorOf(messages.map(([modifier, context]) => ({ modifier, context }))) });

it.each([
  ['the sender of the newest message by ai', nameOf(['ai', 'Old'], ['ai', 'New'], ['client', 'Ada']), 'New'],
  [
    'the sender before the current message, whose sender may change',
    nameOf(['ai', 'Ada'], ['ai', 'Ada is writing…']),
    'Ada',
  ],
  [
    'the sender of the current message when there is no other',
    nameOf(['client', 'Ada'], ['ai', 'New']),
    'New',
  ],
  [
    'the name without what an answer’s label adds',
    nameOf(['ai', 'Parley · stopped'], ['client', 'Ada']),
    'Parley',
  ],
  [
    'the name without the usage of an answer',
    nameOf(['ai', 'Parley · 312 tokens · first after 0.4 s'], ['ai', 'Parley is writing…']),
    'Parley',
  ],
  [
    'the name without the estimated usage of an answer',
    nameOf(['ai', 'Parley · about 12 tokens'], ['ai', 'Parley is writing…']),
    'Parley',
  ],
  ['the name of an answer that runs', nameOf(['ai', 'Parley is writing a table…']), 'Parley'],
  ['no name from a label that only says what happens', nameOf(['ai', 'Looking it up…']), 'the assistant'],
  ['a name from before a message that has none yet', nameOf(['ai', 'Parley'], ['ai', ' ']), 'Parley'],
  ['a name on one line', nameOf(['ai', ' Mr\n\tWatson ']), 'Mr Watson'],
  ['a long name clipped', nameOf(['ai', 'x'.repeat(200)]), `${'x'.repeat(40)}…`],
  [
    'the assistant before its first message',
    nameOf(['client', 'Ada'], ['admin', 'Operator']),
    'the assistant',
  ],
  ['the assistant without messages', nameOf(), 'the assistant'],
])('returns %s', (_, name, expected) => {
  expect(name).toBe(expected);
});

it('searches the newest 1000 messages only', () => {
  const others = Array.from({ length: 1000 }, () => ['client', 'Ada'] as const);
  expect(nameOf(['ai', 'Parley'], ...others.slice(1))).toBe('Parley');
  expect(nameOf(['ai', 'Parley'], ...others)).toBe('the assistant');
});

const OWN = { modifier: 'client', context: 'Ada' };
const own = (said: string) => message('q', [text(said)], OWN);
const file = (name: string, contents: string | Uint8Array) =>
  message('q', [{ category: 'file', text: name, blob: Buffer.from(contents).toString('base64') }], OWN);
const ANSWER = message('a', [text('An answer.')]);
const NOTICE = message('n', [text('It failed.')], Object.assign({ modifier: 'admin' }, { notice: true }));
const NEW_TOPIC = message('d', [text('New topic')], Object.assign({ modifier: 'admin' }, { divider: true }));

const talkOf = (...messages: readonly Message[]) => fromSnapshot({ person: 'Ada', messages });

it.each<[string, Message[], number | undefined]>([
  ['the question of an answer', [own('Why?'), ANSWER], 0],
  ['a question without an answer', [ANSWER, own('Why?')], 1],
  [
    'a question before notices and the returned word that stopped its answer',
    [own('Why?'), NOTICE, own('Stop ')],
    0,
  ],
  ['no question of an earlier topic', [own('Why?'), ANSWER, NEW_TOPIC], undefined],
  [
    'no picture',
    [own('Why?'), message('q', [{ category: 'image', text: 'a.png', blob: 'AAAA' }], OWN)],
    undefined,
  ],
  ['nothing in a conversation without a question', [ANSWER], undefined],
])('contract §3 edit: finds %s', (_, messages, index) => {
  const conversation = talkOf(...messages);
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
  const question = lastQuestion({ conversation: talkOf(frame), words: WORDS });
  expect(question && questionText(question.message)).toBe(expected);
});

it.each([
  ['one line', 'Good morning', '> Good morning\n\n'],
  ['several lines, without spaces around them', ' one \r\n\n  two\n', '> one\n>\n> two\n\n'],
  ['a long text up to its last whole word', 'word '.repeat(30), `> ${'word '.repeat(23)}word…\n\n`],
  ['a long word, without splitting a character', `a${'😀'.repeat(100)}`, `> a${'😀'.repeat(59)}…\n\n`],
  ['the first five of many lines', 'a\n'.repeat(9), `${'> a\n'.repeat(4)}> a…\n\n`],
])('quotes %s', (_, quoted, expected) => {
  expect(quoteText(quoted)).toBe(expected);
});

it('leaves room for an answer', () => {
  expect(quoteText('some words\n'.repeat(200)).length).toBeLessThan(TEXT_LENGTH - 100);
});
