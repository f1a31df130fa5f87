import { expect, test } from 'vitest';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { END, assistant, conversation, settled, text, user } from './testing/answeringConversation.ts';

const NEWEST = -1;

test('the snapshot names the words, and a new one does after the settings have changed', async () => {
  const { holder, ada, say } = conversation();
  const words = () => ada.updates.flatMap(({ kind, frame }) => (kind === 'snapshot' ? [frame] : []));
  holder.set(null);
  await say('hello');
  expect(words()).toEqual([
    { person: 'Ada Lovelace', messages: [], words: ['stop', 'again', 'continue', 'edit', 'new topic'] },
    { person: 'Ada Lovelace', messages: [], words: ['new topic'] },
  ]);
});

test('contract §9 words: `stop` ends an answer: what it said stays, and the request is cancelled; that of a second window does nothing', async () => {
  const { say, shown, endpoint, clock, send } = conversation();
  await say('A story');
  await send(text('Once upon a time'));
  await say(' STOP ');
  await say('stop');
  await send(text(', there was'), END);
  clock.advance(60_000);
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'A story'],
    ['ai', 'stub · stopped', 'Once upon a time'],
  ]);
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
});

test('contract §9 words: `again` asks the last question again without its answer, and answers with a new message; that of a second window does nothing', async () => {
  const { say, answer, shown, sent, endpoint } = conversation();
  await say('A joke');
  await answer(text('Old.'));
  await say('again');
  await say('again');
  expect(endpoint.chats).toHaveLength(2);
  expect(endpoint.chats[1]?.signal.aborted).toBe(false);
  expect(sent()).toEqual([user('A joke')]);
  await answer(text('New.'));
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'A joke'],
    ['ai', 'stub', 'Old.'],
    ['ai', 'stub', 'New.'],
  ]);
});

test.each([
  ['stop', 'the answer ended a second ago', ['A story']],
  ['cancel', 'no answer runs', []],
  ['again', 'there is no question', []],
  ['edit', 'there is no question', []],
  ['continue', 'the last answer is complete', ['A story']],
  ['new topic', 'nothing was said', []],
])('contract §9 words: `%s` is a question when %s', async (word, _, earlier) => {
  const { say, shown, sent, answer } = conversation();
  for (const question of earlier) {
    await say(question);
    await answer(text('The end.'));
  }
  await say(word);
  expect(shown()).toContainEqual(['client', 'Ada Lovelace', word]);
  expect(sent()?.at(NEWEST)).toEqual(user(word));
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

test('a new question ends the answer before, and the model gets both', async () => {
  const { say, shown, sent, clock, send } = conversation();
  await say('A story');
  await send(text('Once upon a time'));
  await say('Shorter, please');
  expect(shown()).toHaveLength(2);
  clock.advance(QUEUE_TICK_MS);
  await settled();
  expect(shown()[2]).toEqual(['client', 'Ada Lovelace', 'Shorter, please']);
  expect(shown()[1]).toEqual(['ai', 'stub · stopped', 'Once upon a time']);
  expect(sent()).toEqual([user('A story'), assistant('Once upon a time'), user('Shorter, please')]);
});

test('`usage` shows the figures of each answer in its label, and hides them again', async () => {
  const { say, shown, clock, send, answer } = conversation();
  const measure = async () => {
    await say('hello');
    clock.advance(400);
    await send(text('Hello, '));
    clock.advance(1000);
    await answer(text('Ada.'), { kind: 'usage', usage: { promptTokens: 9, answerTokens: 38 } });
  };
  await say('usage');
  expect(shown().at(NEWEST)?.[2]).toMatch(/shows its usage\. No answer was measured yet\.$/);
  await measure();
  expect(shown().at(NEWEST)?.[1]).toBe('stub · 38 tokens · first after 0.4 s · 38 tokens/s');
  await say('usage');
  expect(shown().at(NEWEST)?.[2]).toMatch(/^The labels show no usage any more\. The last answer: 38 /);
  await measure();
  expect(shown().at(NEWEST)?.[1]).toBe('stub');
});

test('contract §9 edit: the next message replaces the last question and its answer for the model, and both stay in the conversation', async () => {
  const { say, answer, sent, shown, ada } = conversation();
  await say('Hello');
  await answer(text('Hi.'));
  await say('A story');
  await answer(text('Once upon a time.'));
  const old = ada.conversation().messages.at(2)?.id;
  await say(' Edit ');
  expect(shown()).toHaveLength(4);
  await say('A poem');
  expect(sent()).toEqual([user('Hello'), assistant('Hi.'), user('A poem')]);
  expect(ada.conversation().messages.at(4)).toMatchObject({ modifier: 'client', replaces: old });
  await answer(text('Roses.'));
  const said = ['Hello', 'Hi.', 'A story', 'Once upon a time.', 'A poem', 'Roses.'];
  expect(shown().map((message) => message[2])).toEqual(said);
  await say('More');
  expect(ada.conversation().messages.at(6)).not.toHaveProperty('replaces');
  expect(sent()?.slice(2)).toEqual([user('A poem'), assistant('Roses.'), user('More')]);
});

test('contract §9 edit: ends a running answer first, and is forgotten when another word follows', async () => {
  const { say, answer, sent, shown, endpoint, send } = conversation();
  await say('A story');
  await send(text('Once upon'));
  await say('edit');
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
  expect(shown().at(-1)).toEqual(['ai', 'stub · stopped', 'Once upon']);
  await say('continue');
  await answer(text(' a time.'));
  await say('And then?');
  expect(sent()?.[0]).toEqual(user('A story'));
});

test('contract §9 new topic, contract §9 divider: adds a divider once, and the model gets only what is after it', async () => {
  const { say, answer, sent, ada, shown } = conversation();
  await say('A story');
  await answer(text('Once upon a time.'));
  await say(' New Topic ');
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({
    modifier: 'admin',
    divider: true,
    context: '',
    content: [{ category: 'text', text: 'New topic' }],
  });
  await say('new topic');
  expect(shown()).toHaveLength(3);
  await say('A joke');
  expect(sent()).toEqual([user('A joke')]);
  await answer(text('Ha.'));
  await say('again');
  expect(sent()).toEqual([user('A joke')]);
});
