import { expect, it } from 'vitest';
import { fromSnapshot, NO_WORDS, WORDS } from '#shared/conversation/conversation.ts';
import type { Message } from '#shared/protocol/update.ts';
import { message, text } from '#tests/browser/harness/message.ts';
import { isRunning } from '#shared/conversation/display.ts';
import { endedAnswer } from '../actions/LabelButtons.tsx';
import { answerWords, isLoading, isUnfinished, nameInLabel, rowWords } from './AnswerButtons.tsx';
import { assistantName } from './Composer.tsx';
import { lastQuestion, questionText } from '../actions/lastQuestion.ts';
import { joinDraft, quoteText } from '../actions/useActionEffects.ts';

/** Returns a conversation of messages like `ai~label~words~fields`, with `|` between them. */
const talkIn = (list: string) =>
  fromSnapshot({
    person: 'Ada',
    messages: list.split('|').flatMap((one, at) => {
      const [kind = '', context = '', said = 'Hello.', action] = one.split('~');
      const modifier = kind === 'notice' || kind === 'divider' ? 'admin' : kind;
      const fields = { modifier, context, [kind]: true, ...(action !== undefined && { action }) };
      return one === '' ? [] : [message(String(at), [text(said)], fields)];
    }),
  });

it.each([
  ['Parley', 'Parley', ''],
  ['Parley is writing…', 'Parley', 'runs'],
  ['qwen3:8b is thinking, 12 s…', 'qwen3:8b', 'runs'],
  ['org/model-1.5 is loading the model…', 'org/model-1.5', 'loads'],
  ['llama3:8b is loading the model, next try in 4 s…', 'llama3:8b', 'loads'],
  ['llama3:8b is loading the model', 'llama3:8b is loading the model', ''],
  ['qwen3:8b · cut off', 'qwen3:8b', 'unfinished'],
  ['Who is writing is writing a table…', 'Who is writing', 'runs'],
  ['Looking it up…', '', 'runs'],
  ['Parley · stopped', 'Parley', 'unfinished'],
  ['Parley · 312 tokens · first after 0.4 s · 38 tokens/s', 'Parley', ''],
  ['Parley · 1,312 tokens · stopped', 'Parley', 'unfinished'],
  ['Ada · Support', 'Ada · Support', ''],
  ['Ada is writing', 'Ada is writing', ''],
])('contract §9 label: reads the label %j', (label, name, state) => {
  expect([nameInLabel(label), isUnfinished(label)]).toEqual([name, state === 'unfinished']);
  expect(isLoading(talkIn(`ai~${label}`))).toBe(state === 'loads');
  expect(isRunning(label)).toBe(state === 'loads' || state === 'runs');
});

it.each([
  ['while the newest answer runs', 'ai~Parley is writing…', 'stop'],
  ['after an answer', 'ai~Parley', 'again, new topic'],
  ['after a stop', 'ai~Parley · stopped', 'again, continue, new topic'],
  ['after a stop, with a space at the end', 'ai~Parley · stopped ', 'again, continue, new topic'],
  ['after the word that stopped it', 'ai~Parley · stopped|client~Ada~ Stop ', 'again, continue, new topic'],
  ['after why it ended', 'ai~llama · cut off|notice~~Limit.~continue', 'again, continue, new topic'],
  ['at the beginning of a topic', 'ai~llama|divider', ''],
  ['after a notice in place of an answer', 'client~Ada|notice|client~Ada~stop', 'again, new topic'],
  ['while a notice says that it waits', 'client~Ada|notice~~Trying again.~cancel', 'stop'],
  ['after a greeting that is a notice', 'notice', ''],
  ['after a question', 'ai~Parley|client~Ada', 'stop'],
  ['while an answer is requested again', 'ai~Parley · stopped|client~Ada~again', 'stop'],
  ['after a question that was stopped', 'client~Ada|client~Ada~stop', 'new topic'],
  ['after an answer that seems to run', 'ai~Parley is writing…|client~Ada~stop', 'new topic'],
  ['after a message without an answer', 'client~Ada|admin~', 'new topic'],
  ['before the first message', '', ''],
  ['after a question in a new topic', 'ai~llama|divider|client~Ada~stop', 'new topic'],
  ['after a notice in a new topic', 'ai~llama|divider|notice', 'new topic'],
])('contract §3 new topic: offers the words %s', (_, list, expected) => {
  expect(answerWords({ words: WORDS, conversation: talkIn(list) }).join(', ')).toBe(expected);
});

it('offers only the words that the assistant understands', () => {
  const stopped = talkIn('ai~Parley · stopped');
  expect(answerWords({ words: ['stop', 'again'], conversation: stopped })).toEqual(['again']);
  expect(answerWords({ words: ['stop'], conversation: stopped })).toBe(NO_WORDS);
  expect(answerWords({ words: [], conversation: talkIn('ai~Parley is writing…') })).toBe(NO_WORDS);
});

it.each([
  ['an answer', 'ai~llama', 0, 'new topic'],
  ['an answer that runs', 'ai~llama is writing…', null, 'stop'],
  ['the word that stopped an answer', 'ai~llama · stopped|client~Ada~stop', 0, 'continue, new topic'],
  ['a notice about its end', 'ai~llama · cut off|notice~~Limit.~continue', 0, 'new topic'],
  ['a notice in place of an answer', 'client~Ada|notice~~It failed.~again', null, 'new topic'],
  ['such a notice without a button', 'client~Ada|notice~~It failed.', null, 'again, new topic'],
  ['the next question', 'ai~llama|client~Ada', null, 'stop'],
  ['a divider', 'ai~llama|divider', null, ''],
  ['four notices', `ai~llama${'|notice'.repeat(4)}`, 0, 'new topic'],
  ['more notices', `ai~llama${'|notice'.repeat(5)}`, null, 'new topic'],
])('offers each word once after %s: below the answer, in a notice or in the row', (...[, list, at, row]) => {
  const conversation = talkIn(list);
  expect(endedAnswer(conversation)).toBe(at);
  expect(rowWords({ conversation, words: WORDS }).join(', ')).toBe(row);
});

it.each([
  ['the sender of the newest message by ai', 'ai~Old|ai~New|client~Ada', 'New'],
  ['the sender before the current message, whose sender may change', 'ai~Old|ai~Ada is writing…', 'Old'],
  ['the sender of the current message when there is no other', 'client~Ada|ai~New', 'New'],
  ['the name without what an answer’s label adds', 'ai~Parley · stopped|client~Ada', 'Parley'],
  ['no name from a label that only says what happens', 'ai~Looking it up…', 'the assistant'],
  ['a name from before a message that has none yet', 'ai~Parley|ai~ ', 'Parley'],
  ['a long name clipped', `ai~${'x'.repeat(200)}`, `${'x'.repeat(40)}…`],
  ['the assistant before its first message', 'client~Ada|admin~Operator', 'the assistant'],
  ['the newest 1000 messages only', `ai~Parley${'|client~Ada'.repeat(1000)}`, 'the assistant'],
])('finds the assistant’s name: %s', (_, list, expected) => {
  expect(assistantName(talkIn(list))).toBe(expected);
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
  ['a question before words', [own('Why?'), NOTICE, ...['Stop ', 'again', 'Continue'].map(own)], 0],
  ['no question of an earlier topic', [own('Why?'), ANSWER, NEW_TOPIC], undefined],
  ['no text beside another item', [own('Why?'), message('q', [text('a'), text('b')], OWN)], undefined],
  ['no picture', [own('Why?'), message('q', [{ category: 'image', blob: 'AAAA' }], OWN)], undefined],
  ['nothing in a conversation without a question', [ANSWER], undefined],
  ['a question among the newest 50 messages', [own('Why?'), ...Array<Message>(49).fill(ANSWER)], 0],
  ['no earlier one', [own('Why?'), ...Array<Message>(50).fill(ANSWER)], undefined],
])('contract §3 edit: finds %s', (_, messages, index) => {
  const conversation = talkOf(...messages);
  expect(lastQuestion({ conversation, words: WORDS })?.index).toBe(index);
  expect(lastQuestion({ conversation, words: ['again'] })).toBeNull();
});

const LONG = 'A long question. '.repeat(30);

it.each([
  ['of a text', own('Why?'), 'Why?'],
  ['of a text file', file('A long question.txt', LONG), LONG],
  ['of a text file of wide characters', file('a.txt', '€'.repeat(10_000)), '€'.repeat(10_000)],
  ['of no empty text', own(''), null],
  ['of no empty text file', file('a.txt', ''), null],
  ['of no file of another kind', file('a.csv', LONG), null],
  ['of no file for which the text box has no room', file('a.txt', 'x'.repeat(10_001)), null],
])('returns the text %s', (_, frame, expected) => {
  const question = lastQuestion({ conversation: talkOf(frame), words: WORDS });
  expect(question && questionText(question.message)).toBe(expected);
});

it.each([
  ['one line', 'Good morning', '> Good morning\n\n'],
  ['several lines, without spaces around them', ' one \r\n\n  two\n', '> one\n>\n> two\n\n'],
  ['a long text up to its last whole word', 'word '.repeat(30), `> ${'word '.repeat(23)}word…\n\n`],
  ['a long word, without splitting a character', `a${'😀'.repeat(100)}`, `> a${'😀'.repeat(59)}…\n\n`],
  ['five lines as they are', 'a\n'.repeat(5), `${'> a\n'.repeat(5)}\n`],
  [
    'five lines, of which the last is too long, up to its last whole word',
    `${'a\n'.repeat(4)}${'word '.repeat(30)}`,
    `${'> a\n'.repeat(4)}> ${'word '.repeat(21)}word…\n\n`,
  ],
  ['the first five of many lines', 'a\n'.repeat(9), `${'> a\n'.repeat(4)}> a…\n\n`],
])('quotes %s', (_, quoted, expected) => expect(quoteText(quoted)).toBe(expected));

it('adds a quotation to a draft on a line of its own', () => {
  expect(['', 'a', 'a\n'].map((written) => joinDraft(written, '> b'))).toEqual(['> b', 'a\n> b', 'a\n> b']);
});
