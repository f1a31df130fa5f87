import { expect, test } from 'vitest';
import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import { REPLY_MS } from '../assistant/demonstration/demonstration.ts';
import { testPlatform } from '../testing/testPlatform.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

test('closes the socket of an unknown account as unauthorized', async () => {
  const platform = await testPlatform();
  const client = await platform.connect('nobody/here');
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(client.updates()).toEqual([]);
});

test('sends a known account its conversation at once, with the greeting', async () => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  expect(client.updates()).toMatchObject([{ kind: 'snapshot', frame: { person: 'Ada Lovelace' } }]);
  expect(client.newest()).toMatchObject({ modifier: 'ai', context: 'Parley', seen: true });
  expect(client.newest()?.content).toMatchObject([{ category: 'text' }, { category: 'html' }]);
  expect(client.newest()?.content?.[0]?.text).toContain('Ada Lovelace');
});

test.each([
  { category: 'text', text: 'hi', blob: null },
  { category: 'audio', text: null, blob: base64(300) },
  { category: 'image', text: 'map.png', blob: base64(30) },
  { category: 'file', text: 'a.txt', blob: base64(FILE_BYTES - 1) },
])('sends a message of the category $category back as the person’s', async (outgoing) => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  client.send(outgoing);
  await client.until(({ newest }) => newest()?.modifier === 'client');
  expect(client.newest()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    modifier: 'client',
    content: [{ ...outgoing, html: null }],
    context: 'Ada Lovelace',
    avatar: '',
    seen: true,
  });
});

test('sends the same updates to all sockets of an account', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const clients = [await platform.connect(account), await platform.connect(account)] as const;
  clients[0].sendText('hi');
  await Promise.all(clients.map((client) => client.until(({ updates }) => updates().length === 2)));
  platform.clock.advance(REPLY_MS);
  await Promise.all(clients.map((client) => client.until(({ updates }) => updates().length === 3)));
  expect(clients[0].newest()?.content?.[0]?.text).toBe('You said: hi');
  expect(clients[1].conversation()).toEqual(clients[0].conversation());
});

test('sends no updates to sockets of other accounts', async () => {
  const platform = await testPlatform();
  const ada = await platform.connect(await platform.register());
  const bob = await platform.connect(
    await platform.register({ email: 'bob@example.org', name: 'Bob Martin' }),
  );
  ada.sendText('hi');
  bob.sendText('ho');
  await Promise.all([ada, bob].map((client) => client.until(({ updates }) => updates().length === 2)));
  expect(ada.newest()?.content?.[0]?.text).toBe('hi');
  expect(bob.newest()).toMatchObject({ content: [{ text: 'ho' }], context: 'Bob Martin' });
});

test.each([
  ['not JSON', 'malformed', '{'],
  ['of another category', 'malformed', '{"category":"html","text":"secret","blob":null}'],
  ['of another type', 'malformed', '{"category":"text","text":5,"blob":null}'],
  ['not base64', 'malformed', '{"category":"file","text":"secret","blob":"?"}'],
  [
    'text of 250 characters',
    'text too long',
    { category: 'text', text: 'a'.repeat(TEXT_LENGTH), blob: null },
  ],
  [
    'a file of 1,000,000 bytes',
    'file too large',
    { category: 'file', text: 'secret', blob: base64(FILE_BYTES) },
  ],
  ['binary', 'binary', Buffer.from('{"category":"text","text":"secret","blob":null}')],
])('logs and ignores a frame that is %s, as %s and without its text', async (_, fault, frame) => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  if (typeof frame === 'string' || Buffer.isBuffer(frame)) client.socket.send(frame);
  else client.send(frame);
  client.sendText('after it');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  expect(client.conversation().messages).toHaveLength(2);
  expect(client.newest()?.content?.[0]?.text).toBe('after it');
  expect(platform.logged()).toContain(`"fault":"${fault}"`);
  expect(platform.logged()).not.toMatch(/secret|aaaa/);
});

test('closes the socket with 1009 and without a reason on a frame over 2 MB, so that the client reconnects', async () => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  client.sendText('a'.repeat(2_000_001));
  expect(await client.closed).toEqual({ code: 1009, reason: '' });
});

test('logs neither the account nor the texts of a conversation', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const client = await platform.connect(account);
  client.sendText('my secret');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  await platform.connect(`${account}x`);
  client.socket.close(1000, 'logout');
  await client.closed;
  await platform.close();
  expect(platform.logged()).toContain('a socket closed');
  expect(platform.logged()).not.toContain(account);
  expect(platform.logged()).not.toMatch(/secret|Ada/);
});
