import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import {
  type ManualEndpoint,
  conversation,
  file,
  manualEndpoint,
  text,
  user,
} from './testing/answeringConversation.ts';
import { estimateTokens } from '../assistant/fitWindow.ts';
import { eveningPicture } from '../assistant/pictures.ts';
import { type EndpointErrorKind, EndpointError } from '../endpoint/endpoint.ts';

const PICTURE: Outgoing = { category: 'image', text: 'evening.png', blob: eveningPicture() };
const VOICE: Outgoing = { category: 'audio', text: null, blob: 'AAAA' };
const failure = (kind: EndpointErrorKind) => new EndpointError(kind, 'A sentence of the endpoint.');
const NEWEST = -1;

test.each(['unsupported', 'rejected'] as const)(
  'answers without pictures when these are %s',
  async (kind) => {
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
  },
);

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
  await answer(text('Long.'));
  expect(shown().at(NEWEST)?.[2]).toMatch(/^Your message is longer than the model’s context window/);
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
