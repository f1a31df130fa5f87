import { expect, test } from 'vitest';
import { REPLY_MS } from '../assistant/demonstration/demonstration.ts';
import { postAuth } from '../testing/request.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const LIMITS = {
  messagesPerMinute: 120,
  messageBytes: 2_000_000,
  wrongPasswords: 5,
  registrationsPerHour: 200,
};

const start = async (limits: Partial<typeof LIMITS>) => {
  const platform = await testPlatform(undefined, { limits: { ...LIMITS, ...limits } });
  const account = await platform.register();
  return { platform, account, client: await platform.connect(account) };
};

test('refuses a message over the limit of a minute in words that contain it, and takes the next one in time', async () => {
  const { platform, client } = await start({ messagesPerMinute: 2 });
  for (const words of ['one', 'two', 'three']) client.sendText(words);
  await client.until(({ newest }) => newest()?.modifier === 'admin');
  expect(client.newest()?.content?.[0]?.text).toBe(
    'You can send 2 messages a minute, and this one was not kept. Try again in 60 seconds. You wrote: three',
  );
  platform.clock.advance(60_000);
  client.sendText('three');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  expect(client.newest()?.content?.[0]?.text).toBe('three');
});

test('ends a running answer before the refusal, so that no update changes the refusal', async () => {
  const { platform, client } = await start({ messagesPerMinute: 1 });
  client.sendText('stream');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  platform.clock.advance(REPLY_MS);
  await client.until(({ newest }) => newest()?.modifier === 'ai');
  client.sendText('more');
  await client.until(({ newest }) => newest()?.modifier === 'admin');
  const refusal = client.newest();
  platform.clock.advance(60_000);
  const again = await platform.connect(
    await postAuth(platform.apiUrl, { ...ADA, name: '' }).then(({ body }) => body),
  );
  expect(again.newest()).toEqual(refusal);
});

test('closes a socket that sends on after five refusals, with the reason', async () => {
  const { platform, account, client } = await start({ messagesPerMinute: 1 });
  for (let sent = 0; sent < 8; sent++) client.sendText(`${sent}`);
  const { code, reason } = await client.closed;
  expect(code).toBe(1013);
  expect(reason).toBe('You can send 1 message a minute, and this one was not kept. Try again in 60 seconds.');
  const again = await platform.connect(account);
  const admin = again.conversation().messages.filter(({ modifier }) => modifier === 'admin');
  expect(admin).toHaveLength(5);
});

test('counts the messages of each account, over all its sockets', async () => {
  const { platform, account, client } = await start({ messagesPerMinute: 1 });
  client.sendText('one');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  const second = await platform.connect(account);
  second.sendText('two');
  await second.until(({ newest }) => newest()?.modifier === 'admin');
  const other = await platform.connect(await platform.register({ email: 'bob@example.org' }));
  other.sendText('one');
  await other.until(({ newest }) => newest()?.modifier === 'client');
  expect(second.newest()?.content?.[0]?.text).toContain('You wrote: two');
});

test('refuses a message over the limit of bytes, with its size and the name of its file', async () => {
  const { platform, client } = await start({ messageBytes: 1000 });
  client.send({ category: 'file', text: 'a.bin', blob: 'AAAA'.repeat(300) });
  await client.until(({ newest }) => newest()?.modifier === 'admin');
  expect(client.newest()?.content?.[0]?.text).toBe(
    'A message has at most 1000 bytes here, and yours had 1244. It was not kept. Send a smaller one. It was the file a.bin.',
  );
  expect(platform.logged()).toContain('exceeds a limit');
  expect(platform.logged()).not.toContain('a.bin');
});

test('refuses registrations over the limit of an hour, and lets known accounts sign in', async () => {
  const { platform } = await start({ registrationsPerHour: 2 });
  const register = (email: string) => postAuth(platform.apiUrl, { ...ADA, email });
  expect(await register('bob@example.org')).toMatchObject({ status: 200 });
  expect(await register('eve@example.org')).toMatchObject({
    status: 429,
    body: 'Too many registrations. Try again in 60 minutes.',
  });
  expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200 });
  platform.clock.advance(3_600_000);
  expect(await register('eve@example.org')).toMatchObject({ status: 200 });
});

test('lets a person wait after the wrong passwords that the administrator allows', async () => {
  const { platform } = await start({ wrongPasswords: 1 });
  const logIn = (password: string) => postAuth(platform.apiUrl, { ...ADA, password, name: '' });
  expect((await logIn('engine1844!')).status).toBe(401);
  expect((await logIn('engine1844!')).status).toBe(429);
});
