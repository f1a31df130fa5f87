import { expect, test } from 'vitest';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { Client } from '../testing/testPlatform.ts';
import { type TestPlatform, testPlatform } from '../testing/testPlatform.ts';
import { EFFECT_MS, NOTIFY_MS, REPLY_MS, WORD_MS } from './demonstration.ts';

/** Connects Ada and sends a text; resolves when her message has arrived and before the answer starts. */
async function connectAndSend(
  text: string,
): Promise<{ platform: TestPlatform; account: string; client: Client }> {
  const platform = await testPlatform();
  const account = await platform.register();
  const client = await platform.connect(account);
  client.sendText(text);
  await client.until(({ newest }) => newest()?.modifier === 'client');
  return { platform, account, client };
}

/** Resolves with the updates of the answer when there are `count` of them. */
async function answerTo(text: string, count = 1): Promise<readonly Update[]> {
  const { platform, client } = await connectAndSend(text);
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length >= 2 + count);
  return client.updates().slice(2);
}

const ai = (...content: object[]) => ({
  kind: 'message',
  frame: { modifier: 'ai', context: 'Parley', content },
});

test.each(['hello', 'rename', 'many 0', 'many things', 'constructor', 'HTML please'])(
  'repeats a text that is not a command: %s',
  async (text) => {
    expect(await answerTo(text)).toMatchObject([ai({ category: 'text', text: `You said: ${text}` })]);
  },
);

test('waits `REPLY_MS` before it answers', async () => {
  const { platform, client } = await connectAndSend('hello');
  platform.clock.advance(REPLY_MS - 1);
  expect(platform.clock.nextDue()).toBe(REPLY_MS);
  expect(client.updates()).toHaveLength(2);
});

test('answers `html`, in any case, with markup', async () => {
  const [update] = await answerTo(' HTML ');
  expect(update).toMatchObject(ai({ category: 'html' }));
  for (const tag of ['<h2>', '<ul>', '<table>', '<em>', '<a href="https://'])
    expect(JSON.stringify(update)).toContain(JSON.stringify(tag).slice(1, -1));
});

test('answers `image` with a PNG whose text is its file name', async () => {
  const [update] = await answerTo('image');
  expect(update).toMatchObject(
    ai({ category: 'image', text: 'evening.png', blob: expect.stringMatching(/^iVBORw0KGgo/) }),
  );
});

test('answers `file` with a readable file', async () => {
  const blob = Buffer.from('Notes\n').toString('base64').slice(0, 6);
  expect(await answerTo('file')).toMatchObject([
    ai({ category: 'file', text: 'notes.txt', blob: expect.stringContaining(blob) }),
  ]);
});

test('answers `voice` with a sound', async () => {
  const [update] = await answerTo('voice');
  expect(update).toMatchObject(
    ai({ category: 'audio', text: 'A door bell.', blob: expect.stringMatching(/^UklGR.{6}XQVZF/) }),
  );
});

test('answers `several` with one message that has four kinds of items', async () => {
  expect(await answerTo('several')).toMatchObject([
    ai({ category: 'text' }, { category: 'html' }, { category: 'image' }, { category: 'file' }),
  ]);
});

test('changes the name of the person on `rename`, also in later messages', async () => {
  const { platform, client } = await connectAndSend('rename Ada King');
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length === 4);
  expect(client.updates()[2]).toEqual({ kind: 'name', frame: { name: 'Ada King' } });
  client.sendText('hi');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  expect(client.newest()?.context).toBe('Ada King');
  expect(client.conversation().person).toBe('Ada King');
});

test('answers `admin` with a message of the administrator', async () => {
  expect(await answerTo('admin')).toMatchObject([
    { kind: 'message', frame: { modifier: 'admin', avatar: '' } },
  ]);
});

test('answers `help` with every command', async () => {
  const [update] = await answerTo('help');
  const words = ['html', 'image', 'file', 'voice', 'several', 'stream', 'rename', 'many', 'admin', 'notify'];
  for (const word of [...words, 'drop', 'close', 'signout', 'new topic'])
    expect(JSON.stringify(update)).toContain(`<code>${word}`);
});

test.each([
  ['many 3', 3],
  ['MANY 900', 500],
])('answers `%s` with %i messages', async (text, count) => {
  const updates = await answerTo(text, count);
  expect(updates).toHaveLength(count);
  expect(updates.at(-1)).toMatchObject(ai({ category: 'text', text: `Message ${count} of ${count}.` }));
});

test('answers `stream` with a placeholder that grows word by word, then with a second item and the final label', async () => {
  const { platform, client } = await connectAndSend('stream');
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length === 4);
  expect(client.newest()).toMatchObject({ context: 'Parley is writing…', content: [{ text: '' }] });

  platform.clock.advance(WORD_MS);
  await client.until(({ updates }) => updates().length === 5);
  expect(client.newest()?.content).toMatchObject([{ text: 'This' }]);
  platform.clock.advance(WORD_MS);
  await client.until(({ updates }) => updates().length === 6);
  expect(client.newest()?.content).toMatchObject([{ text: 'This answer' }]);

  platform.clock.advance(60_000);
  await client.until(({ newest }) => newest()?.context === 'Parley');
  const kinds = client.updates().map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'content')).toHaveLength(1);
  expect(client.newest()?.content).toMatchObject([
    { text: expect.stringMatching(/^This answer .+ do\.$/) },
    { text: expect.stringMatching(/^A second item .+ back\.$/) },
  ]);
});

test('answers `notify` with a message and its notification four seconds later', async () => {
  const { platform, client } = await connectAndSend('notify');
  platform.clock.advance(REPLY_MS + NOTIFY_MS - 1);
  expect(platform.clock.nextDue()).toBe(REPLY_MS + NOTIFY_MS);
  platform.clock.advance(1);
  await client.until(({ updates }) => updates().at(-1)?.kind === 'notification');
  expect(client.updates().at(-1)?.frame).toEqual({ notify: true });
  expect(client.newest()).toMatchObject({
    context: 'Parley',
    content: [{ text: expect.stringContaining('notification') }],
  });
});

test.each([
  ['drop', { code: 1006, reason: '' }],
  ['close', { code: 1012, reason: 'maintenance' }],
  ['signout', { code: 4401, reason: 'unauthorized' }],
])('answers `%s` and then closes the connection', async (word, close) => {
  const { platform, account, client } = await connectAndSend(word);
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length === 3);
  expect(client.socket.readyState).toBe(client.socket.OPEN);
  platform.clock.advance(EFFECT_MS);
  expect(await client.closed).toEqual(close);
  const again = await platform.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
});

test.each([
  [{ category: 'image', text: 'map.png', blob: 'AAAA' }, 'I have received the image “map.png” of 3 bytes.'],
  [
    { category: 'file', text: 'a.txt', blob: Buffer.alloc(12_345).toString('base64') },
    'I have received the file “a.txt” of 12.3 kB.',
  ],
  [{ category: 'audio', text: null, blob: 'AA==' }, 'I have received a recording of 1 byte.'],
])('acknowledges a message of the category $category', async (outgoing, text) => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  client.send(outgoing);
  await client.until(({ newest }) => newest()?.modifier === 'client');
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length === 3);
  expect(client.newest()?.content).toMatchObject([{ category: 'text', text }]);
});

test('sends the rest of an answer at once when a message arrives during it', async () => {
  const { platform, client } = await connectAndSend('stream');
  platform.clock.advance(REPLY_MS + 3 * WORD_MS);
  client.sendText('wait');
  await client.until(({ newest }) => newest()?.context === 'Parley');
  platform.clock.advance(QUEUE_TICK_MS);
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'wait');
  const answer = client.conversation().messages.at(-2);
  expect(answer).toMatchObject({
    context: 'Parley',
    content: [{ text: expect.stringMatching(/ do\.$/) }, { text: expect.stringMatching(/ back\.$/) }],
  });
  platform.clock.advance(REPLY_MS);
  await client.until(({ newest }) => newest()?.modifier === 'ai');
  expect(client.newest()?.content).toMatchObject([{ text: 'You said: wait' }]);
  expect(platform.clock.nextDue()).toBeUndefined();
});

test('sends a reconnected client the conversation so far and the rest of the answer', async () => {
  const { platform, account, client } = await connectAndSend('stream');
  platform.clock.advance(REPLY_MS + 3 * WORD_MS);
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'This answer was');
  client.socket.terminate();
  const again = await platform.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  platform.clock.advance(60_000);
  await again.until(({ newest }) => newest()?.context === 'Parley');
  expect(again.newest()?.content).toHaveLength(2);
});
