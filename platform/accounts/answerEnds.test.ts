import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import {
  END,
  assistant,
  conversation,
  file,
  foldingSocket,
  manualEndpoint,
} from './testing/answeringConversation.ts';
import { type ManualEndpoint, reasoning, text, user } from './testing/answeringConversation.ts';
import { type AnswerPart, EndpointError } from '../endpoint/endpoint.ts';
import { createRetries } from '../assistant/retryLater.ts';

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
  const { say, shown, fail, endpoint, newest, kinds, clock, send } = conversation();
  await say('hello');
  await fail(new EndpointError('refused', REFUSED));
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([['admin', '', REFUSED]]);
  expect(newest()).toMatchObject({ notice: true, action: 'again', avatar: '', failed: true });
  expect(kinds()).toEqual(['snapshot', 'message', 'message', 'snapshot']);
  await say('hello?');
  await send(text('Hello.'));
  clock.advance(250);
  expect(endpoint.chats[1]?.messages.slice(1)).toEqual([user('hello?')]);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'Hello.']);
  await say('and now?');
  await fail(new EndpointError('unauthorized', 'The key is wrong.'));
  clock.advance(1000);
  expect(newest()).toMatchObject({ notice: true, action: 'settings' });
});

const CONTINUED = expect.stringMatching(/^Continue your last answer exactly where it stopped/);

test('contract §9 notice: a failure during the answer keeps what was said, and a notice after it says why it ended', async () => {
  const { say, shown, fail, sent, newest, clock, send } = conversation();
  await say('A story');
  await send(text('Once upon'));
  await fail(new EndpointError('cut', 'The connection was cut.'));
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([
    ['ai', 'stub · cut off', 'Once upon'],
    ['admin', '', 'The connection was cut.'],
  ]);
  expect(newest()).toMatchObject({ notice: true, action: 'continue' });
  await say('continue');
  expect(sent()).toEqual([user('A story'), assistant('Once upon'), user(CONTINUED)]);
  await send(text('a time'));
  clock.advance(250);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'a time']);
});

test.each([
  [10_001, [{ unlessSeen: true }]],
  [10_000, []],
])('an answer of %i ms ends with the notifications %j', async (ms, expected) => {
  const { say, clock, send, ada, answer } = conversation();
  await say('A long story');
  clock.advance(ms - 500);
  await send(text('Once'));
  clock.advance(500);
  await answer();
  const notifications = ada.updates.filter(({ kind }) => kind === 'notification');
  expect(notifications.map(({ frame }) => frame)).toMatchObject(expected);
});

const GREETING = { modifier: 'admin', context: '', content: [], notice: true };
const asked = (words: string) => ({
  modifier: 'client',
  context: 'Ada Lovelace',
  content: [{ category: 'text', text: words }],
});

test('what a killed platform has left is said to be cut off when its conversation is opened, once, and asked again', async () => {
  const { shown, kinds } = conversation([answerWith('Once')]);
  expect(shown()).toEqual([['ai', 'a is b · cut off', 'Once']]);
  expect(kinds()).toEqual(['snapshot']);
  const empty = conversation([answerWith('')]).ada.conversation();
  expect(empty.messages).toMatchObject([{ notice: true, action: 'again', content: [{ text: CUT_OFF }] }]);
  const unanswered = conversation([GREETING, asked('A story')]);
  expect(unanswered.shown().at(NEWEST)).toEqual(['admin', '', CUT_OFF]);
  expect(conversation(unanswered.live.stored().messages).shown()).toHaveLength(3);
  await unanswered.say('again');
  expect(unanswered.sent()).toEqual([user('A story')]);
  for (const complete of [[GREETING, asked('Stop')], [GREETING]])
    expect(conversation(complete).shown()).toHaveLength(complete.length);
});

test('a stop of the platform before the first words, or while a file waits, leaves a notice', async () => {
  for (const question of [{ category: 'text' as const, text: 'A story', blob: null }, file('a.txt', 'One')]) {
    const { live, wait, shown } = conversation();
    live.receive(question);
    await wait(1000);
    live.finishAnswer();
    expect(shown().slice(1)).toEqual([['admin', '', CUT_OFF]]);
  }
});

test('nothing is sent after the account was deleted during an answer', async () => {
  const { say, live, ada, endpoint, clock, figures, send } = conversation();
  await say('A story');
  await send(text('Once'));
  const before = ada.updates.length;
  live.close();
  await send(text(' upon'), END);
  clock.advance(60_000);
  expect(ada.updates).toHaveLength(before);
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
  expect(figures).toMatchObject([{ outcome: 'dropped' }]);
  expect(clock.nextDue()).toBeUndefined();
});

test('reports and logs the figures of each answer without its texts; an unexpected error is one message without the text of the error', async () => {
  const { say, send, clock, figures, logged, fail, shown } = conversation();
  await say('A private question');
  clock.advance(300.25);
  await send(text('A private'));
  clock.advance(700);
  const usage = { promptTokens: 12, answerTokens: 34 };
  await send(text(' answer'), { kind: 'usage', usage }, END);
  const answer = { model: 'stub', outcome: 'complete', ...usage };
  expect(figures).toEqual([{ ...answer, durationMs: 1000.25, firstTokenMs: 300.25, isEstimate: false }]);
  const line = { ...answer, durationMs: 1000, firstTokenMs: 300, msg: 'an answer ended' };
  expect(JSON.parse(logged())).toMatchObject(line);
  await say('And a private one');
  await fail(new Error('private'));
  clock.advance(1000);
  expect(shown().at(NEWEST)?.[2]).toMatch(/^The answer failed for an unexpected reason/);
  expect(figures[1]).toMatchObject({ outcome: 'unexpected' });
  expect(logged()).not.toContain('private');
});

test('the greeting says who answers, and which words end and repeat an answer', () => {
  const { assistants, holder } = conversation();
  const words = () => assistants.greeting('Ada').content?.[0]?.text;
  const help = 'Send “stop” to end an answer, “again” for another one, or “continue” after a cut.';
  const first = 'Your messages are answered by the first model of 127.0.0.1:11434.';
  expect(words()).toBe(`Hello, Ada. ${first} ${help}`);
  holder.set({ url: 'https://models.example/v1', model: 'llama', key: 'sk-1', prompt: null });
  expect(words()).toMatch(/answered by llama of models\.example\./);
  holder.set(null);
  expect(words()).toMatch(/^Hello, Ada\. This is a demonstration: no model answers\./);
  expect(assistants.greeting('Ada')).toMatchObject({ modifier: 'admin', notice: true, action: 'connect' });
});

const TOOL = 'The model asked for a tool. Parley has none: send “again”, or ask without the tool.';
const ONLY_REASONING = 'The model sent only its reasoning. Send “again” to ask again.';
const FILTERED = 'A content filter of the server ended the answer. Ask in other words.';

test.each<[string, readonly AnswerPart[], readonly string[] | null, string]>([
  ['spaces only', [text(' \n')], null, 'The model sent an empty answer. Send “again” to ask again.'],
  ['a call of a tool', [{ kind: 'end', reason: 'tool' }], null, TOOL],
  ['reasoning only', [reasoning('Hm.'), text(' \n')], ['', 'Hm.'], ONLY_REASONING],
  ['an end by a filter', [{ kind: 'end', reason: 'filtered' }], null, FILTERED],
  ['text and an end by a filter', [text('Well'), { kind: 'end', reason: 'filtered' }], ['Well'], FILTERED],
])('an answer of %s ends with a notice in place of an empty answer', async (...[, parts, kept, words]) => {
  const { say, answer, shown } = conversation();
  await say('hello');
  await answer(...parts);
  const answered = kept === null ? [] : [['ai', 'stub', ...kept]];
  expect(shown().slice(1)).toEqual([...answered, ['admin', '', words]]);
});

test('contract §9 collapse, contract §9 time: sends the conversation again when text was reasoning: to every client, with the words, and as it is stored; the model does not get the reasoning', async () => {
  const { ada, live, clock, say, send, shown, answer, kinds, sent, newest } = conversation();
  const second = foldingSocket();
  live.addSocket(second.socket);
  await say('hello');
  await send(text('They greet me.'));
  clock.advance(1000);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'They greet me.']);
  await answer({ kind: 'reasoningEnded' }, text('Hello, Ada.'));
  const before = ['snapshot', 'message', 'message', 'text', 'context'];
  expect(kinds()).toEqual([...before, 'snapshot', 'content', 'context']);
  expect(ada.updates[before.length]?.frame).toMatchObject({
    person: 'Ada Lovelace',
    words: ['stop', 'again', 'continue', 'edit', 'new topic'],
  });
  expect(newest()).toMatchObject({
    time: '1970-01-01T00:00:00.000Z',
    model: 'stub',
    context: 'stub',
    content: [
      { format: 'reasoning', text: 'They greet me.' },
      { format: 'markdown', text: 'Hello, Ada.' },
    ],
  });
  const later = foldingSocket();
  live.addSocket(later.socket);
  clock.advance(1000);
  const all = [second.conversation(), later.conversation(), live.stored()];
  expect(all).toEqual(Array(3).fill(ada.conversation()));
  await say('and now?');
  expect(sent()).toEqual([user('hello'), assistant('Hello, Ada.'), user('and now?')]);
});

/** A conversation whose time passes second by second, as the countdown does. */
function limited(endpoint?: ManualEndpoint) {
  const tested = conversation([], endpoint);
  const fail = (seconds: number) => tested.fail(new EndpointError('rateLimited', 'Wait.', seconds));
  const pass = async (seconds: number) => {
    for (let s = 0; s < seconds; s++) await tested.wait(1000);
  };
  return { ...tested, fail, pass };
}

test('contract §9 wait: counts down in a notice in place of the answer, asks again by itself, and replaces the notice by the answer', async () => {
  const { say, fail, pass, newest, shown, endpoint, ada, clock, answer } = limited();
  await say('A joke');
  await fail(7);
  expect(newest()).toMatchObject({ modifier: 'admin', notice: true, action: 'cancel', context: '' });
  expect(shown().slice(1)).toEqual([['admin', '', 'The server limits the requests. Trying again in 7 s.']]);
  const before = ada.updates.length;
  await pass(2);
  expect(ada.updates.slice(before).map(({ frame }) => frame)).toEqual([
    { text: 'The server limits the requests. Trying again in 6 s.' },
    { text: 'The server limits the requests. Trying again in 5 s.' },
  ]);
  expect(endpoint.chats).toHaveLength(1);
  await pass(5);
  expect(shown().at(NEWEST)?.[2]).toBe('The server limits the requests. Trying again now.');
  expect(endpoint.chats[1]?.messages).toEqual(endpoint.chats[0]?.messages);
  await answer(text('Ha.'));
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(clock.nextDue()).toBeUndefined();
});

test.each(['cancel', 'stop'])('contract §9 words: `%s` ends the wait until `again`', async (word) => {
  const { say, fail, pass, shown, endpoint, newest, clock } = limited();
  await say('A joke');
  await fail(60);
  await pass(2);
  await say(word);
  expect(clock.nextDue()).toBeUndefined();
  const words = 'The answer was stopped before it began. Send “again” to ask again.';
  expect(shown().slice(1)).toEqual([['admin', '', words]]);
  expect(newest()).toMatchObject({ action: 'again' });
  expect(endpoint.chats).toHaveLength(1);
  await say('again');
  expect(endpoint.chats).toHaveLength(2);
});

function loadingEndpoint() {
  let isLoading = true;
  const model = async () => {
    if (isLoading) throw new EndpointError('loading', 'The model is loaded.', 5);
    return { id: 'stub', contextTokens: null };
  };
  const loaded = () => void (isLoading = false);
  return { endpoint: { ...manualEndpoint(), model }, loaded };
}

test('contract §9 label: counts down in the label while the server loads the model, also when it does not list its models meanwhile', async () => {
  const { endpoint, loaded } = loadingEndpoint();
  const { say, pass, shown, clock, ada, answer } = limited(endpoint);
  const labels = () => ada.updates.flatMap(({ frame }) => ('context' in frame ? frame.context : []));
  await say('A joke');
  await pass(6);
  expect(shown().slice(1)).toEqual([['ai', 'Parley is loading the model, next try in 4 s…', '']]);
  const snapshots = ada.updates.filter(({ frame }) => 'messages' in frame).length;
  loaded();
  await pass(4);
  clock.advance(125);
  expect(shown().at(NEWEST)?.[1]).toBe('stub is loading the model…');
  await answer(text('Ha.'));
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(ada.updates.filter(({ frame }) => 'messages' in frame)).toHaveLength(snapshots);
  expect(labels()).toContain('Parley is loading the model, next try in 1 s…');
});

test.each([
  ['rateLimited', 5],
  ['failed', 5],
  ['loading', 120],
] as const)('waits after %s at most %i times, for 1 to 60 s, without a listener', async (kind, most) => {
  const clock = virtualClock();
  const { signal } = new AbortController();
  const retry = createRetries({ clock, signal, show: () => undefined });
  const failure = new EndpointError(kind, 'A sentence.', 0);
  expect(await retry(new EndpointError(kind, 'A sentence.', 61))).toBe(false);
  for (let count = 0; count < most; count++) {
    const result = retry(failure);
    clock.advance(999);
    expect(clock.nextDue()).toBe((count + 1) * 1000);
    clock.advance(1);
    expect([await result, getEventListeners(signal, 'abort')]).toEqual([true, []]);
  }
  expect(await retry(failure)).toBe(false);
});
