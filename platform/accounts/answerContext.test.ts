import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { eveningPicture } from '../assistant/pictures.ts';
import { estimateTokens } from '../assistant/fitWindow.ts';
import { type EndpointErrorKind, EndpointError } from '../endpoint/endpoint.ts';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { type ManualEndpoint, manualEndpoint, settled } from './testing/answeringConversation.ts';

const NEWEST = -1;
const PICTURE: Outgoing = { category: 'image', text: 'evening.png', blob: eveningPicture() };
const VOICE: Outgoing = { category: 'audio', text: null, blob: 'AAAA' };
const file = (name: string, content: string): Outgoing => ({
  category: 'file',
  text: name,
  blob: Buffer.from(content).toString('base64'),
});

function conversation(endpoint: ManualEndpoint = manualEndpoint()) {
  const tested = answeringConversation(endpoint);
  const receive = async (outgoing: Outgoing) => {
    tested.live.receive(outgoing);
    // A file waits for the question about it.
    tested.clock.advance(outgoing.category === 'audio' ? 0 : 3000);
    await settled();
  };
  const fail = async (kind: EndpointErrorKind) => {
    endpoint.chats.at(-1)?.fail(new EndpointError(kind, 'A sentence of the endpoint.'));
    await settled();
  };
  const answer = async (words: string) => {
    await stream(endpoint, text(words), END);
    tested.clock.advance(1000);
  };
  /** Returns what the newest request contains, without the prompt. */
  const sent = () => endpoint.chats.at(-1)?.messages.slice(1);
  return { ...tested, endpoint, receive, fail, answer, sent };
}

test('sends the prompt of the settings first', async () => {
  const { say, endpoint } = conversation();
  await say('hello');
  expect(endpoint.chats[0]?.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
});

test('sends a picture as a data URL', async () => {
  const { receive, sent } = conversation();
  await receive(PICTURE);
  const url = `data:image/png;base64,${eveningPicture()}`;
  expect(sent()).toEqual([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]);
});

test.each(['unsupported', 'rejected'] as const)(
  'asks again without pictures when the endpoint refuses them as %s, says so, and remembers it',
  async (kind) => {
    const { receive, fail, sent, shown, endpoint, answer, say } = conversation();
    await receive(PICTURE);
    await fail(kind);
    expect(sent()?.[0]?.content).toBe('[The picture “evening.png”, which you cannot see.]');
    await answer('I cannot see it.');
    const notice = ['admin', '', 'stub does not accept pictures: it answers without them.'];
    expect(shown().slice(1)).toEqual([['ai', 'stub', 'I cannot see it.'], notice]);
    await say('Thanks');
    await answer('Gladly.');
    expect(endpoint.chats).toHaveLength(3);
    expect(shown().filter((message) => message[2] === notice[2])).toHaveLength(1);
  },
);

test('asks again without pictures that are too large, says so, and sends a smaller one', async () => {
  const { receive, fail, sent, shown, endpoint, answer, say } = conversation();
  await receive(PICTURE);
  await fail('tooLarge');
  await answer('I cannot see it.');
  const words =
    'The pictures are too large for the server of stub: it answers without them. Send a smaller one.';
  expect(shown().at(NEWEST)).toEqual(['admin', '', words]);
  await say('Thanks');
  await fail('tooLarge');
  await answer('Gladly.');
  expect(shown().filter((message) => message[2] === words)).toHaveLength(1);
  await receive(PICTURE);
  expect(endpoint.chats).toHaveLength(5);
  expect(sent()?.at(-1)?.content).toContainEqual(expect.objectContaining({ type: 'image_url' }));
});

test('a request that fails with and without pictures is one failure', async () => {
  const { receive, fail, shown, endpoint } = conversation();
  await receive(PICTURE);
  await fail('rejected');
  await fail('failed');
  expect(endpoint.chats).toHaveLength(2);
  expect(shown().slice(1)).toEqual([['admin', '', 'A sentence of the endpoint.']]);
});

test('sends a text file as text, with its name', async () => {
  const { receive, sent } = conversation();
  await receive(file('notes.md', '# Notes'));
  expect(sent()).toEqual([{ role: 'user', content: 'File “notes.md”:\n\n# Notes' }]);
});

test('refuses another file in words, without a request', async () => {
  const { receive, shown, endpoint, figures } = conversation();
  await receive(file('a.zip', 'PK\u{0}'));
  expect(shown().at(NEWEST)?.[2]).toMatch(/^I cannot read “a\.zip”\. Send a text file, or a picture/);
  expect(endpoint.chats).toHaveLength(0);
  expect(figures).toMatchObject([{ outcome: 'unread' }]);
});

test('shows what was heard in a recording as its text, and sends it', async () => {
  const { receive, shown, sent } = conversation();
  await receive(VOICE);
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', 'What was said.'],
    ['ai', 'Parley is thinking…', ''],
  ]);
  expect(sent()).toEqual([{ role: 'user', content: 'What was said.' }]);
});

test('answers a recording with the sentence of its failure', async () => {
  const sentence = 'The endpoint cannot turn voice into text. Write the message instead.';
  const transcribe = () => Promise.reject(new EndpointError('unsupported', sentence));
  const { receive, shown } = conversation({ ...manualEndpoint(), transcribe });
  await receive(VOICE);
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', undefined],
    ['admin', '', sentence],
  ]);
});

test('says that nothing was heard in a silent recording', async () => {
  const { receive, shown } = conversation({ ...manualEndpoint(), transcribe: async () => ' ' });
  await receive(VOICE);
  expect(shown().at(NEWEST)?.[2]).toMatch(/^I heard no words in the recording\./);
});

test('what is heard after the next message does not change that message', async () => {
  const heard: ((words: string) => void)[] = [];
  const transcribe = () => new Promise<string>((resolve) => heard.push(resolve));
  const { receive, say, shown } = conversation({ ...manualEndpoint(), transcribe });
  await receive(VOICE);
  await say('hello');
  heard[0]?.('Too late.');
  await settled();
  expect(shown()).toEqual([
    ['client', 'Ada Lovelace', undefined],
    ['admin', '', expect.stringContaining('stopped before it began')],
    ['client', 'Ada Lovelace', 'hello'],
  ]);
});

test('says what it heard when `again` is about an earlier recording, and sends it also later', async () => {
  let isDown = true;
  const transcribe = async () => {
    if (isDown) throw new EndpointError('refused', 'No server.');
    return 'What was said.';
  };
  const { receive, say, shown, sent, answer } = conversation({ ...manualEndpoint(), transcribe });
  await receive(VOICE);
  isDown = false;
  await say('again');
  expect(shown().at(-2)?.[2]).toBe('I heard: “What was said.”');
  await answer('I see.');
  await say('Thanks');
  expect(sent()?.[0]).toEqual({ role: 'user', content: 'What was said.' });
});

/** The most that a model with a window of 1,000 tokens gets. */
const BUDGET = 750;
const small = () => manualEndpoint({ id: 'small', contextTokens: 1000 });
const sizeOf = (chat: ManualEndpoint['chats'][number]) =>
  chat.messages.reduce(
    (sum, { content }) => sum + estimateTokens(typeof content === 'string' ? content : ''),
    0,
  );

test('a conversation never exceeds the context window, and the cut is announced once', async () => {
  const { say, answer, shown, endpoint } = conversation(small());
  for (let turn = 0; turn < 30; turn++) {
    await say(`Question ${turn} ${'x'.repeat(200)}`);
    await answer(`Answer ${turn} ${'y'.repeat(200)}`);
  }
  expect(endpoint.chats).toHaveLength(30);
  for (const chat of endpoint.chats) expect(sizeOf(chat)).toBeLessThanOrEqual(BUDGET);
  expect(endpoint.chats.at(-1)?.messages.at(-1)?.content).toMatch(/^Question 29 /);
  const cuts = shown().filter(([modifier]) => modifier === 'admin');
  expect(cuts).toEqual([['admin', '', 'Earlier messages are no longer sent to the assistant.']]);
});

test('a file that is longer than the context window is shortened, and a message says so once, also when the next question follows', async () => {
  const { receive, say, answer, shown, endpoint } = conversation(small());
  await receive(file('long.txt', `Begin ${'z'.repeat(100_000)}`));
  expect(endpoint.chats.map(sizeOf).every((size) => size <= BUDGET)).toBe(true);
  expect(endpoint.chats[0]?.messages[1]?.content).toMatch(/^File “long\.txt”:\n\nBegin z+$/);
  await answer('Read.');
  expect(shown()[2]?.[2]).toMatch(/^The model got the first [\d,]+ of 100,006 characters of “long\.txt”\.$/);
  await say('What is in it?');
  expect(endpoint.chats[1]?.messages[1]?.content).toMatch(/^File “long\.txt”:\n\nBegin z+$/);
  await answer('Letters.');
  expect(shown().filter(([modifier]) => modifier === 'admin')).toHaveLength(1);
});

test('halves a conversation that the endpoint finds too long, four times at most, and remembers the size', async () => {
  const { receive, fail, answer, endpoint, say, shown } = conversation();
  await receive(file('long.txt', 'z'.repeat(100_000)));
  for (let halving = 0; halving < 4; halving++) await fail('contextTooLong');
  const sizes = endpoint.chats.map(sizeOf);
  expect(sizes).toHaveLength(5);
  for (const [index, size] of sizes.slice(1).entries())
    expect(size).toBeLessThanOrEqual((sizes[index] ?? 0) / 2 + 8);
  await answer('Read.');
  expect(shown()[1]?.[2]).toBe('Read.');
  await say('And now?');
  expect(endpoint.chats).toHaveLength(6);
  expect(sizeOf(endpoint.chats[5] ?? { ...endpoint.chats[0]!, messages: [] })).toBeLessThan(
    (sizes[4] ?? 0) + 8,
  );
});

test('a conversation that is too long after four halvings is one failure', async () => {
  const { say, fail, shown, endpoint } = conversation();
  await say('hello');
  for (let attempt = 0; attempt < 5; attempt++) await fail('contextTooLong');
  expect(endpoint.chats).toHaveLength(5);
  expect(shown().slice(1)).toEqual([['admin', '', 'A sentence of the endpoint.']]);
});
