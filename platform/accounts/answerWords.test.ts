import { expect, test } from 'vitest';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { END, reasoning, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { manualEndpoint, settled } from './testing/answeringConversation.ts';

function conversation() {
  const endpoint = manualEndpoint();
  const tested = answeringConversation(endpoint);
  return {
    ...tested,
    endpoint,
    sent: () => endpoint.chats.at(-1)?.messages.slice(1),
    stream: (...parts: readonly AnswerPart[]) => stream(endpoint, ...parts),
  };
}

const NEWEST = -1;

test('the snapshot names the words, and a new one does after the settings have changed', async () => {
  const { holder, ada, say } = conversation();
  const words = () => ada.updates.flatMap(({ kind, frame }) => (kind === 'snapshot' ? [frame] : []));
  expect(words()).toEqual([
    { person: 'Ada Lovelace', messages: [], words: ['stop', 'again', 'continue', 'edit', 'new topic'] },
  ]);
  holder.set(null);
  await say('hello');
  expect(words().slice(1)).toEqual([{ person: 'Ada Lovelace', messages: [], words: ['new topic'] }]);
});

test('contract §9 words: `stop` ends an answer: what it said stays, and the request is cancelled', async () => {
  const { say, shown, endpoint, clock, ...tested } = conversation();
  await say('A story');
  await tested.stream(text('Once upon a time'));
  await say(' STOP ');
  await tested.stream(text(', there was'), END);
  clock.advance(60_000);
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'A story'],
    ['ai', 'stub · stopped', 'Once upon a time'],
  ]);
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
});

test('contract §9 words: the `stop` of a second window does nothing, also when the answer has just ended by itself', async () => {
  const { say, shown, clock, endpoint, ...tested } = conversation();
  await say('A story');
  await tested.stream(text('Once upon a time'));
  await say('stop');
  await say('stop');
  expect(shown().slice(1)).toEqual([['ai', 'stub · stopped', 'Once upon a time']]);
  await say('Another one');
  await tested.stream(text('The end.'), END);
  clock.advance(999);
  await say('stop');
  expect(shown().slice(3)).toEqual([['ai', 'stub', 'The end.']]);
  expect(endpoint.chats).toHaveLength(2);
});

test('contract §9 words: the `again` of a second window does nothing', async () => {
  const { say, shown, endpoint, clock, ...tested } = conversation();
  await say('A joke');
  await tested.stream(text('Old.'), END);
  clock.advance(1000);
  await say('again');
  await say('again');
  expect(endpoint.chats).toHaveLength(2);
  expect(endpoint.chats[1]?.signal.aborted).toBe(false);
  clock.advance(1000);
  await say('again');
  expect(endpoint.chats).toHaveLength(3);
  expect(shown().filter(([modifier]) => modifier === 'client')).toHaveLength(1);
});

test.each([
  ['stop', 'no answer runs', []],
  ['cancel', 'no answer runs', []],
  ['stop', 'the answer ended a second ago', ['A story']],
  ['again', 'there is no question', []],
  ['continue', 'there is no question', []],
  ['continue', 'the last answer is complete', ['A story']],
  ['new topic', 'nothing was said', []],
])('contract §9 words: `%s` is a question when %s', async (word, _, earlier) => {
  const { say, shown, sent, clock, ...tested } = conversation();
  for (const question of earlier) {
    await say(question);
    await tested.stream(text('The end.'), END);
    clock.advance(1000);
  }
  await say(word);
  expect(shown()).toContainEqual(['client', 'Ada Lovelace', word]);
  expect(sent()?.at(NEWEST)).toEqual({ role: 'user', content: word });
});

test('contract §9 replaced: `stop` before the first words replaces the answer by a notice', async () => {
  const { say, shown, endpoint, ada } = conversation();
  await say('A story');
  await say('stop');
  expect(shown().slice(1)).toEqual([
    ['admin', '', 'The answer was stopped before it began. Send “again” to ask again.'],
  ]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'again' });
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
});

test('`stop` during the reasoning keeps the reasoning', async () => {
  const { say, ada, ...tested } = conversation();
  await say('A riddle');
  await tested.stream(reasoning('Let me think.'));
  expect(ada.conversation().messages.at(NEWEST)?.context).toBe('Parley is thinking…');
  await say('stop');
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({
    context: 'stub · stopped',
    content: [{ text: '' }, { format: 'reasoning', text: 'Let me think.' }],
  });
});

test('contract §9 stop: `stop` in a code block keeps the Markdown so far', async () => {
  const { say, ada, ...tested } = conversation();
  await say('A program');
  await tested.stream(text('Here it is:\n\n```ts\nconst a = 1;\nconst b'));
  await say('stop');
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({
    context: 'stub · stopped',
    content: [{ format: 'markdown', text: 'Here it is:\n\n```ts\nconst a = 1;\nconst b' }],
  });
});

test('a new question ends the answer before, and the model gets both', async () => {
  const { say, shown, sent, clock, ...tested } = conversation();
  await say('A story');
  await tested.stream(text('Once upon a time'));
  await say('Shorter, please');
  expect(shown()).toHaveLength(2);
  clock.advance(QUEUE_TICK_MS);
  await settled();
  expect(shown()[2]).toEqual(['client', 'Ada Lovelace', 'Shorter, please']);
  expect(shown()[1]).toEqual(['ai', 'stub · stopped', 'Once upon a time']);
  expect(sent()).toEqual([
    { role: 'user', content: 'A story' },
    { role: 'assistant', content: 'Once upon a time' },
    { role: 'user', content: 'Shorter, please' },
  ]);
});

test('`again` asks the last question again without its answer, and answers with a new message', async () => {
  const { say, shown, sent, clock, ...tested } = conversation();
  await say('A joke');
  await tested.stream(text('Old.'), END);
  clock.advance(1000);
  await say('again');
  expect(sent()).toEqual([{ role: 'user', content: 'A joke' }]);
  await tested.stream(text('New.'), END);
  clock.advance(1000);
  expect(shown().filter(([modifier]) => modifier === 'ai')).toEqual([
    ['ai', 'stub', 'Old.'],
    ['ai', 'stub', 'New.'],
  ]);
});

test('`continue` continues a stopped answer in a new message', async () => {
  const { say, shown, sent, clock, ...tested } = conversation();
  await say('A story');
  await tested.stream(text('Once upon'));
  await say('stop');
  await say('continue');
  expect(sent()).toEqual([
    { role: 'user', content: 'A story' },
    { role: 'assistant', content: 'Once upon' },
    { role: 'user', content: expect.stringMatching(/^Continue your last answer exactly where it stopped/) },
  ]);
  await tested.stream(text('a time'));
  clock.advance(250);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'a time']);
});

test('`continue` gets the rest of an answer that reached the model’s limit', async () => {
  const { say, shown, sent, clock, ...tested } = conversation();
  await say('A story');
  await tested.stream(text('Once upon'), { kind: 'end', reason: 'length' });
  clock.advance(1000);
  expect(shown().slice(-2)).toEqual([
    ['ai', 'stub · cut off', 'Once upon'],
    ['admin', '', 'The answer reached the model’s limit. Send “continue” to get the rest.'],
  ]);
  await say('continue');
  expect(sent()?.[1]).toEqual({ role: 'assistant', content: 'Once upon' });
});

test('`usage` shows the figures of each answer in its label, and hides them again', async () => {
  const { say, shown, clock, ...tested } = conversation();
  const answer = async () => {
    await say('hello');
    clock.advance(400);
    await tested.stream(text('Hello, '));
    clock.advance(1000);
    await tested.stream(text('Ada.'), { kind: 'usage', usage: { promptTokens: 9, answerTokens: 38 } }, END);
    clock.advance(1000);
  };
  await say('usage');
  expect(shown().at(NEWEST)?.[2]).toMatch(
    /the label of each answer shows its usage\. No answer was measured yet\.$/,
  );
  await answer();
  expect(shown().at(NEWEST)?.[1]).toBe('stub · 38 tokens · first after 0.4 s · 38 tokens/s');
  await say('usage');
  expect(shown().at(NEWEST)?.[2]).toMatch(
    /^The labels show no usage any more\. The last answer: 38 tokens · /,
  );
  await answer();
  expect(shown().at(NEWEST)?.[1]).toBe('stub');
});

test('counts the parts of an answer when the endpoint counts no tokens', async () => {
  const { say, shown, clock, ...tested } = conversation();
  await say('usage');
  await say('hello');
  await tested.stream(text('Hello'), text(', Ada.'), END);
  clock.advance(1000);
  expect(shown().at(NEWEST)?.[1]).toBe('stub · about 2 tokens · first after 0.0 s');
});
