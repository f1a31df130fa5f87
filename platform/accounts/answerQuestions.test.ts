import { expect, test } from 'vitest';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { END, assistant, conversation, file } from './testing/answeringConversation.ts';
import { type ManualEndpoint, manualEndpoint, text, user } from './testing/answeringConversation.ts';
import { estimateTokens } from '../assistant/fitWindow.ts';
import { eveningPicture } from '../assistant/pictures.ts';
import { type EndpointErrorKind, EndpointError } from '../endpoint/endpoint.ts';

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

test('a snapshot that is sent during an answer names the words of then, and the next message sends none', async () => {
  const { holder, ada, say, send, clock } = conversation();
  const words = () => ada.updates.flatMap(({ frame }) => ('words' in frame ? [frame.words] : []));
  await say('hello');
  await send(text('Hm.'));
  clock.advance(1000);
  holder.set(null);
  await send({ kind: 'reasoningEnded' }, END);
  clock.advance(1000);
  await say('and now?');
  expect(words().slice(1)).toEqual([['new topic']]);
});

test('contract §9 words, contract §9 replaced: `stop` ends an answer: what it said stays, and a notice replaces an answer without words; that of a second window does nothing', async () => {
  const { say, shown, endpoint, clock, send, newest } = conversation();
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
  await say('Another one');
  await say('stop');
  const words = 'The answer was stopped before it began. Send “again” to ask again.';
  expect(shown().slice(3)).toEqual([['admin', '', words]]);
  expect(newest()).toMatchObject({ notice: true, action: 'again' });
  expect(endpoint.chats.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

test.each([
  ['two updates', ' upon', 'ai', 'client'],
  ['one update', '', 'client', 'client'],
])('a question that ends an answer by %s is shown at once, or a tick later', async (...row) => {
  const [, rest, atOnce, later] = row;
  const { say, send, clock, newest } = conversation();
  await say('A story');
  await send(text('Once'));
  clock.advance(125);
  if (rest !== '') await send(text(rest));
  await say('Shorter');
  expect(newest()?.modifier).toBe(atOnce);
  clock.advance(QUEUE_TICK_MS);
  expect(newest()?.modifier).toBe(later);
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

test('`usage` shows the figures of each answer in its label, and hides them again', async () => {
  const { say, shown, clock, send, answer, fail } = conversation();
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
  await say('nothing');
  await fail(failure('refused'));
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

const PICTURE: Outgoing = { category: 'image', text: 'evening.png', blob: eveningPicture() };
const VOICE: Outgoing = { category: 'audio', text: null, blob: 'AAAA' };
const failure = (kind: EndpointErrorKind) => new EndpointError(kind, 'A sentence of the endpoint.');

test.each(['unsupported', 'rejected'] as const)('answers without pictures that are %s', async (kind) => {
  const { receive, fail, sent, shown, endpoint, answer, say } = conversation();
  await receive(PICTURE);
  const url = `data:image/png;base64,${eveningPicture()}`;
  expect(sent()).toEqual([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]);
  await fail(failure(kind));
  expect(sent()).toEqual([user('[The picture “evening.png”, which you cannot see.]')]);
  await answer(text('I cannot see it.'));
  const notice = ['admin', '', 'stub does not accept pictures: it answers without them.'];
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'I cannot see it.'], notice]);
  await say('Thanks');
  await answer(text('Gladly.'));
  expect(endpoint.chats).toHaveLength(3);
  expect(shown().filter((message) => message[2] === notice[2])).toHaveLength(1);
});

test('shows what was heard in a recording as its text, and sends it', async () => {
  const { receive, shown, sent } = conversation();
  await receive(VOICE);
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'What was said.'],
    ['ai', 'Parley is thinking…', ''],
  ]);
  expect(sent()).toEqual([user('What was said.')]);
});

test('says what it heard when `again` is about an earlier recording, and sends it also later', async () => {
  let isDown = true;
  const transcribe = async () => {
    if (isDown) throw new EndpointError('refused', 'No server.');
    return 'What was said.';
  };
  const { receive, say, shown, sent, answer } = conversation([], { ...manualEndpoint(), transcribe });
  await receive(VOICE);
  isDown = false;
  await say('again');
  expect(shown().at(-2)?.[2]).toBe('I heard: “What was said.”');
  await answer(text('I see.'));
  await say('Thanks');
  expect(sent()?.[0]).toEqual(user('What was said.'));
});

/** The most that a model with a window of 1,000 tokens gets. */
const BUDGET = 750;
const small = () => manualEndpoint({ id: 'small', contextTokens: 1000 });
const tokensOf = (content: unknown) => estimateTokens(typeof content === 'string' ? content : '');
const sizeOf = ({ messages }: ManualEndpoint['chats'][number]) =>
  messages.reduce((sum, { content }) => sum + tokensOf(content), 0);

test('a conversation never exceeds the context window, and each cut is announced once', async () => {
  const { say, answer, shown, endpoint } = conversation([], small());
  for (let turn = 0; turn < 30; turn++) {
    await say(`Question ${turn} ${'x'.repeat(200)}`);
    await answer(text(`Answer ${turn} ${'y'.repeat(200)}`));
  }
  expect(endpoint.chats).toHaveLength(30);
  for (const chat of endpoint.chats) expect(sizeOf(chat)).toBeLessThanOrEqual(BUDGET);
  expect(endpoint.chats.at(-1)?.messages.at(-1)?.content).toMatch(/^Question 29 /);
  const cuts = shown().filter(([modifier]) => modifier === 'admin');
  expect(cuts).toEqual([['admin', '', 'Earlier messages are no longer sent to the assistant.']]);
  await say(`Begin ${'z'.repeat(10_000)}`);
  await answer(text('Long'), { kind: 'end', reason: 'length' });
  expect(shown().at(NEWEST)?.[2]).toMatch(/^Your message is longer than the model’s context window/);
  await say('continue');
  await answer(text('er.'));
  expect(shown().at(NEWEST)?.[2]).toBe('er.');
});

test('a file that is longer than the context window is shortened, and a message says so once, also when the next question follows', async () => {
  const { receive, say, answer, shown, endpoint } = conversation([], small());
  await receive(file('long.txt', `Begin ${'z'.repeat(100_000)}`));
  expect(endpoint.chats.map(sizeOf).every((size) => size <= BUDGET)).toBe(true);
  expect(endpoint.chats[0]?.messages[1]?.content).toMatch(/^File “long\.txt”:\n\nBegin z+$/);
  await answer(text('Read.'));
  expect(shown()[2]?.[2]).toMatch(/^The model got the first [\d,]+ of 100,006 characters of “long\.txt”\.$/);
  await say('What is in it?');
  expect(endpoint.chats[1]?.messages[1]?.content).toMatch(/^File “long\.txt”:\n\nBegin z+$/);
  await answer(text('Letters.'));
  expect(shown().filter(([modifier]) => modifier === 'admin')).toHaveLength(1);
});

test.each([
  ['over', 100_000],
  ['far below', 24_000],
])('halves a text %s the budget, four times at most, and remembers its size', async (...row) => {
  const { receive, fail, answer, endpoint, say, shown } = conversation();
  await receive(file('long.txt', 'z'.repeat(row[1])));
  for (let halving = 0; halving < 4; halving++) await fail(failure('contextTooLong'));
  const sizes = endpoint.chats.map(sizeOf);
  expect(sizes).toHaveLength(5);
  for (const [index, size] of sizes.slice(1).entries())
    expect(size).toBeLessThanOrEqual((sizes[index] ?? 0) / 2 + 8);
  await answer(text('Read.'));
  expect(shown()[1]?.[2]).toBe('Read.');
  await say('And now?');
  expect(endpoint.chats.map(sizeOf)[5]).toBeLessThan((sizes[4] ?? 0) + 8);
});

test.each(['contextTooLong', 'rejected', 'unsupported'] as const)(
  'asks no second time for an answer that has begun, which ends with %s',
  async (kind) => {
    const { say, send, fail, wait, endpoint, shown } = conversation();
    await say('hello');
    await send(text('Good '));
    await fail(failure(kind));
    await wait(60_000);
    expect(endpoint.chats).toHaveLength(1);
    expect(
      shown()
        .flat()
        .filter((words) => words?.startsWith('Good')),
    ).toEqual(['Good ']);
  },
);

test('contract §9 together: files that are dropped together are one request, 3 s after the last one, or with a question before that', async () => {
  const { live, wait, requests } = conversation();
  live.receive(file('a.txt', 'One'));
  await wait(2999);
  live.receive(file('b.txt', 'Two'));
  await wait(2999);
  expect(requests()).toEqual([]);
  await wait(1);
  expect(requests()).toEqual([['File “a.txt”:\n\nOne\n\nFile “b.txt”:\n\nTwo']]);
  const asked = conversation();
  asked.live.receive(file('a.txt', 'One'));
  await asked.say('Shorten it');
  await asked.wait(60_000);
  expect(asked.requests()).toEqual([['File “a.txt”:\n\nOne\n\nShorten it']]);
  await asked.receive(file('b.txt', 'Two'));
  expect(asked.newest()).toMatchObject({ context: 'stub is thinking…', content: [{ text: '' }] });
});

const ZIP = file('a.zip', 'PK\u{0}');

test('a file that cannot be read is refused in words, among others at once, and the others are sent', async () => {
  const { live, receive, wait, requests, shown, say, figures } = conversation();
  const refusal = /^I cannot read “a\.zip”\. Send a text file, or a picture/;
  await receive(ZIP);
  expect(shown().at(NEWEST)?.[2]).toMatch(refusal);
  expect([requests(), figures]).toMatchObject([[], [{ outcome: 'unread' }]]);
  live.receive(file('a.txt', 'One'));
  live.receive(ZIP);
  expect(shown().at(NEWEST)?.[2]).toMatch(refusal);
  await wait(3000);
  expect(requests()).toEqual([['File “a.txt”:\n\nOne']]);
  await say('again');
  expect(requests()[1]).toEqual(['File “a.txt”:\n\nOne']);
});
