import { expect, test } from 'vitest';
import { END, conversation, reasoning, text, foldingSocket } from './testing/answeringConversation.ts';
import { type AnswerPart, EndpointError } from '../endpoint/endpoint.ts';

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
  const { say, shown, fail, endpoint, ada, kinds, clock, send } = conversation();
  await say('hello');
  await fail(new EndpointError('refused', REFUSED));
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([['admin', '', REFUSED]]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'again', avatar: '' });
  expect(kinds()).toEqual(['snapshot', 'message', 'message', 'snapshot']);
  await say('hello?');
  await send(text('Hello.'));
  clock.advance(250);
  expect(endpoint.chats[1]?.messages.slice(1)).toEqual([{ role: 'user', content: 'hello?' }]);
  expect(shown().at(NEWEST)).toEqual(['ai', 'stub is writing…', 'Hello.']);
  await say('and now?');
  await fail(new EndpointError('unauthorized', 'The key is wrong.'));
  clock.advance(1000);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'settings' });
});

test('contract §9 notice: a failure during the answer keeps what was said, and a notice after it says why it ended', async () => {
  const { say, shown, fail, endpoint, ada, clock, send } = conversation();
  await say('A story');
  await send(text('Once upon'));
  await fail(new EndpointError('cut', 'The connection was cut.'));
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([
    ['ai', 'stub · cut off', 'Once upon'],
    ['admin', '', 'The connection was cut.'],
  ]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ notice: true, action: 'continue' });
  await say('continue');
  expect(endpoint.chats[1]?.messages[2]).toEqual({ role: 'assistant', content: 'Once upon' });
});

test.each([
  [10_001, [{ unlessSeen: true }]],
  [10_000, []],
])('an answer of %i ms ends with the notifications %j', async (ms, expected) => {
  const { say, clock, send, ada } = conversation();
  await say('A long story');
  clock.advance(ms - 500);
  await send(text('Once'));
  clock.advance(500);
  await send(END);
  clock.advance(1000);
  const notifications = ada.updates.filter(({ kind }) => kind === 'notification');
  expect(notifications.map(({ frame }) => frame)).toMatchObject(expected);
});

test('an answer is cut off when the platform stops, and can be continued after the restart', async () => {
  const { say, endpoint, live, send } = conversation();
  await say('A story');
  await send(text('Once upon'));
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
  const { ada } = conversation([answerWith('')]);
  expect(ada.conversation().messages).toMatchObject([
    { notice: true, action: 'again', content: [{ text: CUT_OFF }] },
  ]);
  const unanswered = conversation([GREETING, asked('A story')]);
  expect(unanswered.shown().at(NEWEST)).toEqual(['admin', '', CUT_OFF]);
  expect(conversation(unanswered.live.stored().messages).shown()).toHaveLength(3);
  await unanswered.say('again');
  expect(unanswered.endpoint.chats[0]?.messages.slice(1)).toEqual([{ role: 'user', content: 'A story' }]);
  for (const complete of [[GREETING, asked('Stop')], [GREETING]])
    expect(conversation(complete).shown()).toHaveLength(complete.length);
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
  clock.advance(300);
  await send(text('A private'));
  clock.advance(700);
  const usage = { promptTokens: 12, answerTokens: 34 };
  await send(text(' answer'), { kind: 'usage', usage }, END);
  const expected = { model: 'stub', outcome: 'complete', durationMs: 1000, firstTokenMs: 300, ...usage };
  expect(figures).toEqual([{ ...expected, isEstimate: false }]);
  expect(JSON.parse(logged())).toMatchObject({ ...expected, msg: 'an answer ended' });
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

const FILTERED = 'A content filter of the server ended the answer. Ask in other words.';

test.each<[string, readonly AnswerPart[], readonly string[] | null, string]>([
  ['spaces only', [text(' \n')], null, 'The model sent an empty answer. Send “again” to ask again.'],
  [
    'a call of a tool',
    [{ kind: 'end', reason: 'tool' }],
    null,
    'The model asked for a tool. Parley has none: send “again”, or ask without the tool.',
  ],
  [
    'reasoning only',
    [reasoning('Hm.'), text(' \n')],
    ['', 'Hm.'],
    'The model sent only its reasoning. Send “again” to ask again.',
  ],
  ['an end by a filter', [{ kind: 'end', reason: 'filtered' }], null, FILTERED],
  ['text and an end by a filter', [text('Well'), { kind: 'end', reason: 'filtered' }], ['Well'], FILTERED],
])(
  'an answer of %s ends with a notice that says so, in place of an empty answer',
  async (...[, parts, kept, words]) => {
    const { say, answer, shown } = conversation();
    await say('hello');
    await answer(...parts);
    expect(shown().slice(1)).toEqual([
      ...(kept === null ? [] : [['ai', 'stub', ...kept]]),
      ['admin', '', words],
    ]);
  },
);

test('contract §9 collapse: sends the conversation again when text was reasoning: to every client, with the words, and as it is stored; the model does not get the reasoning', async () => {
  const { ada, live, clock, say, send, shown, answer, kinds, endpoint } = conversation();
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
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({
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
  expect(endpoint.chats.at(NEWEST)?.messages.slice(1)).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Hello, Ada.' },
    { role: 'user', content: 'and now?' },
  ]);
});
