import { expect, test } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { EndpointError } from '../endpoint/endpoint.ts';
import { END, reasoning, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { type ManualEndpoint, manualEndpoint, settled } from './testing/answeringConversation.ts';

function conversation(messages: readonly Message[] = [], endpoint: ManualEndpoint = manualEndpoint()) {
  const tested = answeringConversation(endpoint, messages);
  const kinds = () => tested.ada.updates.map(({ kind }) => kind);
  const fail = async (error: unknown) => {
    endpoint.chats.at(-1)?.fail(error);
    await settled();
    tested.clock.advance(1000);
  };
  return { ...tested, endpoint, kinds, fail };
}

const NEWEST = -1;
const answerWith = (words: string) => ({
  modifier: 'ai',
  model: '',
  context: 'a is b is thinking, 12 s…',
  content: [{ category: 'text', text: words, format: 'markdown' }],
});
const CUT_OFF = 'The answer was cut off before it began. Send “again” to ask again.';
const REFUSED = 'No server answers at 127.0.0.1:11434. Start it, then send “again”.';

test('contract §9 replaced: a failure before the answer is one notice in place of its message, and the next message works', async () => {
  const { say, shown, fail, endpoint, ada, kinds, clock } = conversation();
  await say('hello');
  await fail(new EndpointError('refused', REFUSED));
  expect(shown().slice(1)).toEqual([['admin', '', REFUSED]]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'again', avatar: '' });
  expect(kinds()).toEqual(['snapshot', 'message', 'message', 'snapshot']);
  await say('hello?');
  await stream(endpoint, text('Hello.'));
  clock.advance(250);
  expect(endpoint.chats[1]?.messages.slice(1)).toEqual([{ role: 'user', content: 'hello?' }]);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'Hello.']);
});

test('contract §9 notice: a failure during the answer keeps what was said, and a notice after it says why it ended', async () => {
  const { say, shown, fail, endpoint, ada } = conversation();
  await say('A story');
  await stream(endpoint, text('Once upon'));
  await fail(new EndpointError('cut', 'The connection was cut.'));
  expect(shown().slice(1)).toEqual([
    ['ai', 'stub · cut off', 'Once upon'],
    ['admin', '', 'The connection was cut.'],
  ]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'continue' });
  await say('continue');
  expect(endpoint.chats[1]?.messages[2]).toEqual({ role: 'assistant', content: 'Once upon' });
});

test('an unexpected error is one message, and its text reaches neither the person nor the log', async () => {
  const { say, shown, fail, figures, logged } = conversation();
  await say('hello');
  await fail(new Error('secret'));
  expect(shown().at(NEWEST)?.[2]).toMatch(/^The answer failed for an unexpected reason/);
  expect(figures).toMatchObject([{ outcome: 'unexpected' }]);
  expect(logged()).not.toContain('secret');
});

test('an empty answer is one notice', async () => {
  const { say, shown, endpoint } = conversation();
  await say('hello');
  await stream(endpoint, text(' \n'), END);
  expect(shown().at(NEWEST)).toEqual([
    'admin',
    '',
    'The model sent an empty answer. Send “again” to ask again.',
  ]);
});

test('an answer of tool calls only says that the model asked for a tool', async () => {
  const { say, shown, endpoint } = conversation();
  await say('hello');
  await stream(endpoint, { kind: 'end', reason: 'tool' });
  expect(shown().at(NEWEST)).toEqual([
    'admin',
    '',
    'The model asked for a tool. Parley has none: send “again”, or ask without the tool.',
  ]);
});

test('a notice after an answer that is only reasoning says so', async () => {
  const { say, ada, endpoint, clock } = conversation();
  await say('hello');
  await stream(endpoint, reasoning('Let me think.'), text(' \n'), END);
  clock.advance(1000);
  expect(ada.conversation().messages.slice(-2)).toMatchObject([
    { context: 'stub', content: [{ text: '' }, { format: 'reasoning', text: 'Let me think.' }] },
    { content: [{ text: 'The model sent only its reasoning. Send “again” to ask again.' }], action: 'again' },
  ]);
});

test.each([
  [10_001, ['notification']],
  [10_000, []],
])('an answer of %i ms ends with the notifications %j', async (ms, expected) => {
  const { say, clock, endpoint, kinds, shown } = conversation();
  await say('A long story');
  clock.advance(ms - 500);
  await stream(endpoint, text('Once'));
  clock.advance(500);
  await stream(endpoint, END);
  clock.advance(1000);
  expect(shown().at(NEWEST)?.[1]).toBe('stub');
  expect(kinds().filter((kind) => kind === 'notification')).toEqual(expected);
  expect(kinds().at(NEWEST)).toBe(expected[0] ?? 'context');
});

test('the notification at the end of a long answer is not for a person who sees the answer', async () => {
  const { say, clock, endpoint, ada } = conversation();
  await say('A long story');
  clock.advance(60_000);
  await stream(endpoint, text('Once'), END);
  clock.advance(1000);
  expect(ada.updates.at(NEWEST)?.frame).toMatchObject({ unlessSeen: true });
});

test('a long answer that the person stops needs no notification', async () => {
  const { say, clock, endpoint, kinds } = conversation();
  await say('A long story');
  await stream(endpoint, text('Once'));
  clock.advance(60_000);
  await say('stop');
  expect(kinds()).not.toContain('notification');
});

test('an answer is cut off when the platform stops, and can be continued after the restart', async () => {
  const { say, endpoint, live } = conversation();
  await say('A story');
  await stream(endpoint, text('Once upon'));
  live.finishAnswer();
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
  const stored = live.stored().messages;
  expect(stored.at(NEWEST)).toMatchObject({ context: 'stub · cut off', content: [{ text: 'Once upon' }] });
  const restarted = conversation(stored);
  await restarted.say('continue');
  expect(restarted.endpoint.chats[0]?.messages.slice(1, 3)).toEqual([
    { role: 'user', content: 'A story' },
    { role: 'assistant', content: 'Once upon' },
  ]);
});

test('a question whose answer had not begun when the platform stopped is asked again on `continue`', async () => {
  const { say, live, shown } = conversation();
  await say('A story');
  live.finishAnswer();
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'A story'],
    ['admin', '', CUT_OFF],
  ]);
  const restarted = conversation(live.stored().messages);
  await restarted.say('continue');
  expect(restarted.endpoint.chats[0]?.messages.slice(1)).toEqual([{ role: 'user', content: 'A story' }]);
});

test('an answer whose platform was killed is labelled as cut off when its conversation is opened', () => {
  const { shown, kinds } = conversation([answerWith('Once')]);
  expect(shown()).toEqual([['ai', 'a is b · cut off', 'Once']]);
  expect(kinds()).toEqual(['snapshot']);
});

test('a notice replaces an answer whose platform was killed before its first words', () => {
  const { shown, ada } = conversation([answerWith('')]);
  expect(shown()).toEqual([['admin', '', CUT_OFF]]);
  expect(ada.conversation().messages).toMatchObject([{ notice: true, action: 'again' }]);
});

const QUESTION = {
  modifier: 'client',
  context: 'Ada Lovelace',
  content: [{ category: 'text', text: 'A story' }],
};
const GREETING = { modifier: 'admin', context: '', content: [], notice: true };

test('a question whose platform was killed before the answer began is said to be cut off, once, and asked again', async () => {
  const { shown, say, endpoint, live } = conversation([GREETING, QUESTION]);
  expect(shown().at(NEWEST)).toEqual(['admin', '', CUT_OFF]);
  expect(conversation(live.stored().messages).shown()).toHaveLength(3);
  await say('again');
  expect(endpoint.chats[0]?.messages.slice(1)).toEqual([{ role: 'user', content: 'A story' }]);
});

test.each([
  ['a question to the demonstration', [{ ...GREETING, modifier: 'ai', notice: false }, QUESTION]],
  ['the first question to the demonstration', [{ ...GREETING, action: 'connect' }, QUESTION]],
  [
    'the word that stopped an answer',
    [GREETING, { ...QUESTION, content: [{ category: 'text', text: 'Stop' }] }],
  ],
  ['a conversation without a question', [GREETING]],
])('says of %s nothing when it is opened', (_, messages) => {
  expect(conversation(messages).shown()).toHaveLength(messages.length);
});

test('an answer that a filter of the endpoint ended says so', async () => {
  const { say, shown, endpoint, clock } = conversation();
  const end = { kind: 'end', reason: 'filtered' } as const;
  const words = 'A content filter of the server ended the answer. Ask in other words.';
  await say('hello');
  await stream(endpoint, end);
  expect(shown().at(NEWEST)).toEqual(['admin', '', words]);
  await say('hello');
  await stream(endpoint, text('Well'), end);
  clock.advance(1000);
  expect(shown().slice(-2)).toEqual([
    ['ai', 'stub', 'Well'],
    ['admin', '', words],
  ]);
});

test('nothing is sent after the account was deleted during an answer', async () => {
  const { say, live, ada, endpoint, clock, figures } = conversation();
  await say('A story');
  await stream(endpoint, text('Once'));
  const before = ada.updates.length;
  live.close();
  await stream(endpoint, text(' upon'), END);
  clock.advance(60_000);
  expect(ada.updates).toHaveLength(before);
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
  expect(figures).toMatchObject([{ outcome: 'dropped' }]);
  expect(clock.nextDue()).toBeUndefined();
});

test('settings that change during an answer decide the next one', async () => {
  const { say, shown, holder, endpoint, clock } = conversation();
  await say('hello');
  await stream(endpoint, text('Hel'));
  holder.set(null);
  await stream(endpoint, text('lo, Ada.'), END);
  clock.advance(1000);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub', 'Hello, Ada.']);
  await say('hello');
  clock.advance(1000);
  expect(shown().at(NEWEST)).toEqual(['ai', 'Parley', 'You said: hello']);
});

test('reports and logs the figures of each answer without its texts', async () => {
  const { say, endpoint, clock, figures, logged } = conversation();
  await say('A private question');
  clock.advance(300);
  await stream(endpoint, text('A private'));
  clock.advance(700);
  const usage = { promptTokens: 12, answerTokens: 34 };
  await stream(endpoint, text(' answer'), { kind: 'usage', usage }, END);
  const expected = { model: 'stub', outcome: 'complete', durationMs: 1000, firstTokenMs: 300, ...usage };
  expect(figures).toEqual([{ ...expected, isEstimate: false }]);
  expect(JSON.parse(logged())).toMatchObject({ ...expected, msg: 'an answer ended' });
  expect(logged()).not.toContain('private');
});

test('the greeting says who answers, and which words end and repeat an answer', () => {
  const { assistants, holder } = conversation();
  const words = () => assistants.greeting('Ada').content?.[0]?.text;
  expect(words()).toBe(
    'Hello, Ada. Your messages are answered by the first model of 127.0.0.1:11434. ' +
      'Send “stop” to end an answer, “again” for another one, or “continue” after a cut.',
  );
  holder.set({ url: 'https://models.example/v1', model: 'llama', key: 'sk-1', prompt: null });
  expect(words()).toMatch(/answered by llama of models\.example\./);
  holder.set(null);
  expect(words()).toMatch(/^Hello, Ada\. This is a demonstration: no model answers\./);
  expect(assistants.greeting('Ada')).toMatchObject({ modifier: 'admin', notice: true, action: 'connect' });
});
