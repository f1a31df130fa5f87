import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { END, conversation, file } from './testing/answeringConversation.ts';
import { type ManualEndpoint, manualEndpoint, text } from './testing/answeringConversation.ts';
import { type Story, tell } from './testing/stories.ts';
import { estimateTokens } from '../assistant/fitWindow.ts';
import { eveningPicture } from '../assistant/pictures.ts';
import { createRetries } from '../assistant/retryLater.ts';
import { type AnswerPart, type EndpointErrorKind, EndpointError } from '../endpoint/endpoint.ts';

const failure = (kind: EndpointErrorKind, retryAfterS?: number) =>
  new EndpointError(kind, `The endpoint says “${kind}”.`, retryAfterS);
const ENDED: AnswerPart = { kind: 'reasoningEnded' };
const reasoning = (words: string): AnswerPart => ({ kind: 'reasoning', text: words });

/** The end of an answer, and a second. */
const said = (...parts: readonly (string | AnswerPart)[]) => [[...parts, END], 1000] as const;
const USAGE: AnswerPart = { kind: 'usage', usage: { promptTokens: 9, answerTokens: 38 } };
const FIGURES: Story[1] = ['hello', 400, ['Hello, '], 1000, ...said('Ada.', USAGE)];
const MORE = [', there was', END];
const REFUSED = failure('refused');

test('contract §9 words, contract §9 replaced: the words of control act when they can, and those of a second window do nothing; the snapshots name the words', async () => {
  const stories = await tell([
    [
      'a new snapshot names the words after the settings have changed',
      [({ holder }) => holder.set(null), 'hello'],
    ],
    [
      'a snapshot that is sent during an answer names the words of then, and the next message sends none',
      ['hello', ['Hm.'], 1000, ({ holder }) => holder.set(null), [ENDED, END], 1000, 'and now?'],
    ],
    [
      '`stop` ends an answer: what it said stays, and a notice replaces an answer without words',
      ['A story', ['Once upon a time'], ' STOP ', 'stop', MORE, 60_000, 'Another one', 'stop'],
    ],
    [
      'a question that ends an answer by two updates is shown a tick later',
      ['A story', ['Once'], 125, [' upon'], 'Shorter', QUEUE_TICK_MS],
    ],
    [
      'a question that ends an answer by one update is shown at once',
      ['A story', ['Once'], 125, 'Shorter', QUEUE_TICK_MS],
    ],
    [
      '`again` asks the last question again without its answer, and answers with a new message',
      ['A joke', ['Old.', END], 1000, 'again', 'again', ['New.', END], 1000],
    ],
    [
      '`stop` and `continue` are questions when the answer is complete',
      ['A story', ['The end.', END], 1000, 'stop', ['No.', END], 1000, 'continue'],
    ],
    ...['cancel', 'again', 'edit', 'new topic'].map((word): Story => [
      `\`${word}\` is a question when there is none`,
      [word],
    ]),
    [
      '`usage` shows the figures of each answer in its label, and hides them again',
      ['usage', ...FIGURES, 'hi', ...said('Hi.'), 'nothing', REFUSED, ' Usage ', ...FIGURES],
    ],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/words.txt');
});

const STORY = ['A story', ...said('Once upon a time.')];

test('contract §9 edit, contract §9 new topic, contract §9 divider: `edit` replaces a question for the model, `new topic` hides what is before it', async () => {
  const stories = await tell([
    [
      'the next message after `edit` replaces the last question and its answer, and both stay in the conversation',
      ['Hello', ...said('Hi.'), ...STORY, ' Edit ', 'A poem', ...said('Roses.'), 'More'],
    ],
    [
      '`edit` ends a running answer first, and is forgotten when another word follows',
      ['A story', ['Once upon'], 'edit', 'continue', [' a time.', END], 1000, 'And then?'],
    ],
    [
      '`new topic` adds a divider once, and the model gets only what is after it',
      [...STORY, ' New Topic ', 'new topic', 'A joke', ...said('Ha.'), 'again'],
    ],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/topics.txt');
});

const PICTURE: Outgoing = { category: 'image', text: 'evening.png', blob: eveningPicture() };
const VOICE: Outgoing = { category: 'audio', text: null, blob: 'AAAA' };
const ZIP = file('a.zip', 'PK\u{0}');
const begun = (length: number) => `Begin ${'z'.repeat(length)}`;

/** Returns a function that fails with these errors in turn, and then returns the result. */
const failingFirst =
  <Result>(result: Result, ...errors: Error[]) =>
  async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return result;
  };
const deafAtFirst = () =>
  conversation([], { ...manualEndpoint(), transcribe: failingFirst('What was said.', failure('refused')) });

test('contract §9 together: files wait for each other and for a question; what the model cannot get is said', async () => {
  const stories = await tell([
    [
      'files that are dropped together are one request, 3 s after the last one',
      [file('a.txt', 'One'), 2999, file('b.txt', 'Two'), 2999, 1],
    ],
    [
      'a question before that is in the same request, and the next file waits again',
      [file('a.txt', 'One'), 'Shorten it', 3000, file('b.txt', 'Two'), 3000],
    ],
    ['a file that cannot be read is refused in words', [ZIP, 3000]],
    [
      'a file that cannot be read is refused at once among others, which are sent',
      [file('a.txt', 'One'), ZIP, 3000, 'again'],
    ],
    ...(['unsupported', 'rejected'] as const).map((kind): Story => [
      `pictures that are ${kind} are left out, and a notice says so once`,
      [PICTURE, 3000, failure(kind), ['I cannot see it.', END], 1000, 'Thanks', ['Gladly.', END], 1000],
    ]),
    ['what was heard in a recording is shown as its text, and sent', [VOICE]],
    [
      'when `again` is about an earlier recording, a notice says what was heard, and it is sent also later',
      [VOICE, 'again', ['I see.', END], 1000, 'Thanks'],
      deafAtFirst,
    ],
    [
      'a file that is longer than the context window is shortened, and a message says so once, also when the next question follows',
      [file('long.txt', begun(100_000)), 3000, ...said('Read.'), 'What is in it?', ...said('Letters.')],
      small,
    ],
    [
      'a message that is longer than the context window is sent in part, and a notice says so once, not when the answer is continued',
      [begun(10_000), ['Long', { kind: 'end', reason: 'length' }], 1000, 'continue', ...said('er.')],
      small,
    ],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/files.txt');
});

/** A conversation whose model has a window of 1,000 tokens, and gets 750 at most. */
function small() {
  return conversation([], manualEndpoint({ id: 'small', contextTokens: 1000 }));
}
const tokensOf = (content: unknown) => estimateTokens(typeof content === 'string' ? content : '');
const sizesOf = ({ chats }: ManualEndpoint) =>
  chats.map(({ messages }) => messages.reduce((sum, { content }) => sum + tokensOf(content), 0));

test('a conversation never exceeds the context window, and its cut is announced once in each topic', async () => {
  const { play, ada, endpoint } = small();
  for (let turn = 0; turn < 30; turn++) {
    if (turn === 15) await play('new topic');
    await play(`Question ${turn} ${'x'.repeat(200)}`, [`Answer ${turn} ${'y'.repeat(200)}`, END], 1000);
  }
  expect(endpoint.chats).toHaveLength(30);
  for (const size of sizesOf(endpoint)) expect(size).toBeLessThanOrEqual(750);
  expect(endpoint.chats.at(-1)?.messages.at(-1)?.content).toMatch(/^Question 29 /);
  const notices = ada.conversation().messages.filter(({ modifier }) => modifier === 'admin');
  const cut = { content: [{ text: 'Earlier messages are no longer sent to the assistant.' }] };
  expect(notices).toMatchObject([cut, { divider: true }, cut]);
});

test.each([
  ['over', 100_000],
  ['far below', 24_000],
])('halves a text %s the budget, four times at most, and remembers its size', async (...[, length]) => {
  const { play, endpoint, ada } = conversation();
  const failures = Array.from({ length: 4 }, () => failure('contextTooLong'));
  await play(file('long.txt', 'z'.repeat(length)), 3000, ...failures);
  const sizes = sizesOf(endpoint);
  expect(sizes).toHaveLength(5);
  for (const [index, size] of sizes.slice(1).entries())
    expect([size <= (sizes[index] ?? 0) / 2 + 8, size >= (sizes[index] ?? 0) / 2 - 20]).toEqual([true, true]);
  await play(['Read.', END], 1000);
  expect(ada.conversation().messages[1]).toMatchObject({ content: [{ text: 'Read.' }] });
  await play('And now?');
  expect(sizesOf(endpoint)[5]).toBeLessThan((sizes[4] ?? 0) + 8);
});

const ENDS: readonly [what: string, parts: readonly AnswerPart[]][] = [
  ['spaces only', [text(' \n'), END]],
  ['a call of a tool', [{ kind: 'end', reason: 'tool' }]],
  ['reasoning only', [reasoning('Hm.'), text(' \n'), END]],
  ['an end by a filter', [{ kind: 'end', reason: 'filtered' }]],
  ['text and an end by a filter', [text('Well'), { kind: 'end', reason: 'filtered' }]],
];

test('contract §9 notice, contract §9 replaced, contract §9 collapse, contract §9 time: an answer ends with its words, and with a notice that says what is missing', async () => {
  const stories = await tell([
    [
      'a failure before the answer is one notice in place of its message, and the next message works',
      ['hello', REFUSED, 1000, 'hello?', ['Hello.'], 250, 'and now?', failure('unauthorized'), 1000],
    ],
    [
      'a failure during the answer keeps what was said, and a notice after it says why it ended',
      ['A story', ['Once upon'], failure('cut'), 1000, 'continue', ['a time'], 250],
    ],
    ...(['contextTooLong', 'rejected', 'unsupported'] as const).map((kind): Story => [
      `an answer that has begun and fails with ${kind} is not asked for again`,
      ['hello', ['Good '], failure(kind), 60_000],
    ]),
    ...ENDS.map(([what, parts]): Story => [
      `an answer of ${what} has no empty message`,
      ['hello', parts, 1000],
    ]),
    [
      'an answer of more than 10 s ends with a notification',
      ['A long story', 9501, ['Once'], 500, [END], 1000],
    ],
    ['an answer of 10 s ends without a notification', ['A long story', 9500, ['Once'], 500, [END], 1000]],
    [
      'text that was reasoning is sent again as reasoning, and the model does not get it later',
      ['hello', ['They greet me.'], 1000, [ENDED, 'Hello, Ada.', END], 1000, 'and now?'],
    ],
    [
      'nothing is sent after the account was deleted during an answer',
      ['A story', ['Once'], ({ live }) => live.close(), [' upon', END], 60_000],
    ],
    [
      'a message of the platform during an answer stops it',
      ['A story', ['Once'], ({ live }) => live.announce('Too long.'), [' upon'], 1000],
    ],
    [
      'a deletion of the account while a file waits',
      [file('a.txt', 'One'), ({ live }) => live.close(), 3000],
    ],
    ...(['close', 'finishAnswer'] as const).map((end): Story => [
      `${end === 'close' ? 'a deletion of the account' : 'a stop of the platform'} while a question waits for a tick`,
      ['A story', ['Once'], 125, [' upon'], 'Shorter', ({ live }) => live[end](), QUEUE_TICK_MS],
    ]),
    ...['A story', file('a.txt', 'One')].map((question, index): Story => [
      `a stop of the platform ${index === 0 ? 'before the first words' : 'while a file waits'} leaves a notice`,
      [question, 1000, ({ live }) => live.finishAnswer()],
    ]),
  ]);
  await expect(stories).toMatchFileSnapshot('testing/ends.txt');
});

const answerWith = (words: string) => ({
  modifier: 'ai',
  model: '',
  context: 'a is b is thinking, 12 s…',
  content: [{ category: 'text', text: words, format: 'markdown' }],
});
const GREETING = { modifier: 'admin', context: '', content: [], notice: true };
const COUNTDOWN = { ...GREETING, action: 'cancel' };
const CONNECT = { ...GREETING, action: 'connect' };
const DEMONSTRATED = { ...answerWith(''), model: undefined };
const asked = (words: string) => ({
  modifier: 'client',
  context: 'Ada Lovelace',
  content: [{ category: 'text', text: words }],
});

test('what a killed platform has left is said to be cut off when its conversation is opened, once, and asked again', async () => {
  const opened = conversation([GREETING, asked('A story')]).live.stored().messages;
  const stories = await tell([
    ['an answer with words', [], () => conversation([answerWith('Once')])],
    ['an answer without words', [], () => conversation([answerWith('')])],
    ['a question without an answer', ['again'], () => conversation([GREETING, asked('A story')])],
    ['a question whose end was announced before', ['continue'], () => conversation(opened)],
    ['a countdown', [], () => conversation([asked('A joke'), COUNTDOWN])],
    ...['Stop', 'Usage'].map((word): Story => [
      `the word ${word}`,
      [],
      () => conversation([GREETING, asked(word)]),
    ]),
    ['a question to a demonstration', [], () => conversation([CONNECT, asked('Hi')])],
    ['an answer of a demonstration', [], () => conversation([DEMONSTRATED])],
    ['a greeting', [], () => conversation([GREETING])],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/killed.txt');
});

/** Time passes second by second, as the countdown does. */
const seconds = (count: number) => Array.from({ length: count }, () => 1000);

const STUB = { id: 'stub', contextTokens: null };
const loading = () => {
  const model = failingFirst(STUB, failure('loading', 5), failure('loading', 5));
  return conversation([], { ...manualEndpoint(), model });
};

test('contract §9 wait, contract §9 words, contract §9 label: an answer that must wait says so, and asks again by itself', async () => {
  const stories = await tell([
    [
      'a notice in place of the answer counts down, and the answer replaces it',
      ['A joke', failure('rateLimited', 7), ...seconds(7), ['Ha.', END], 1000],
    ],
    ...['cancel', 'stop'].map((word): Story => [
      `\`${word}\` ends the wait until \`again\``,
      ['A joke', failure('rateLimited', 60), ...seconds(2), word, 'again'],
    ]),
    [
      'the label counts down while the server loads the model, also when it does not list its models meanwhile',
      ['A joke', ...seconds(10), 125, ['Ha.', END], 1000],
      loading,
    ],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/waits.txt');
});

test.each([
  ['rateLimited', 5],
  ['failed', 5],
  ['loading', 120],
] as const)('waits after %s at most %i times, for 1 to 60 s, without a listener', async (kind, most) => {
  const clock = virtualClock();
  const { signal } = new AbortController();
  const [stop, show] = [new AbortController(), () => undefined];
  const stopped = createRetries({ clock, signal: stop.signal, show })(failure(kind, 9));
  stop.abort('stopped');
  await expect(stopped).rejects.toBe('stopped');
  expect(clock.nextDue()).toBeUndefined();
  const retry = createRetries({ clock, signal, show });
  expect(await retry(failure(kind, 61))).toBe(false);
  for (let count = 0; count < most; count++) {
    const result = retry(failure(kind, 0));
    clock.advance(999);
    expect(clock.nextDue()).toBe((count + 1) * 1000);
    clock.advance(1);
    expect([await result, getEventListeners(signal, 'abort')]).toEqual([true, []]);
  }
  expect(await retry(failure(kind, 0))).toBe(false);
});

test('logs the figures of each answer without its texts; an unexpected error is one message without the text of the error', async () => {
  const { play, figures, logged, ada } = conversation();
  const usage = { promptTokens: 12, answerTokens: 34 };
  await play('A private question', 300.75, ['A private'], 700, [' answer', { kind: 'usage', usage }, END]);
  const answer = { model: 'stub', outcome: 'complete', ...usage };
  expect(figures).toEqual([{ ...answer, durationMs: 1000.75, firstTokenMs: 300.75, isEstimate: false }]);
  const line = { ...answer, durationMs: 1001, firstTokenMs: 301, msg: 'an answer ended' };
  expect(JSON.parse(logged())).toMatchObject(line);
  await play('And a private one', new Error('private'), 1000);
  const words = expect.stringMatching(/^The answer failed for an unexpected reason/);
  expect(ada.conversation().messages.at(-1)).toMatchObject({ content: [{ text: words }] });
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
