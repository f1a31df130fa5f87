import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { messengerAt, until } from '#tests/builders/mainMessenger.ts';
import { platformForTest } from '#tests/builders/mainPlatform.ts';

const ADA = { email: 'ada@example.org', password: 'engine1843!', name: '' } as const;
const SNAPSHOT = { person: 'Ada Lovelace', messages: [] };

/** Signed in, and connected to a platform that has sent a conversation. */
async function signedIn(options: Parameters<typeof messengerAt>[1] = {}) {
  const platform = await platformForTest();
  const main = await messengerAt(platform, options);
  expect(await main.messenger.signIn(ADA)).toBeUndefined();
  const socket = await platform.sockets.next();
  socket.send(SNAPSHOT);
  await until(main.store, ({ queue }) => queue.length === 1);
  main.clock.advance(100);
  return { platform, socket, ...main, person: () => main.store.getState().conversation.person };
}

/** Closes the socket with an empty reason; resolves when the messenger has heard of it. */
async function loseConnection({ socket, store }: Awaited<ReturnType<typeof signedIn>>): Promise<void> {
  const before = store.getState().sequence;
  socket.close();
  await until(store, ({ sequence }) => sequence > before);
}

/** An account file as a messenger leaves it behind. */
async function storedAccount(platformName: string): Promise<string> {
  const { messenger, path } = await signedIn({ platformName });
  messenger.quit();
  return path;
}

test('spec §3.1 row 2: `auth` succeeds, the account is stored, then windows told, then connected', async () => {
  const platform = await platformForTest();
  const seen: unknown[] = [];
  const path = join(mainFolder(), 'account.json');
  const { messenger, store, told } = await messengerAt(platform, {
    path,
    onTold: () => seen.push(existsSync(path), store.getState().account.id, store.getState().sequence),
  });
  const before = store.getState().sequence;
  expect(await messenger.signIn(ADA)).toBeUndefined();
  expect(seen).toEqual([true, 'account-1', before]);
  expect(told).toEqual([{ account: 'account-1' }]);
  expect(messenger.account()).toBe('account-1');
  expect(store.getState().sequence).toBeGreaterThan(before);
  expect((await platform.sockets.next()).path).toBe('/account-1');
});

test('spec §3.1 row 3: `auth` fails, the error text is returned and nothing else happens', async () => {
  const platform = await platformForTest();
  platform.auth.answer({ status: 401, body: 'Wrong password.' });
  const { messenger, told, path } = await messengerAt(platform);
  expect(await messenger.signIn(ADA)).toBe('Wrong password.');
  await platform.roundTrip();
  expect({ told, account: messenger.account(), stored: existsSync(path) }).toEqual({
    told: [],
    account: false,
    stored: false,
  });
  expect(platform.upgrades.all).toEqual([]);
});

test('spec §7 row 1: credentials that break a rule, the rule’s text and nothing sent', async () => {
  const platform = await platformForTest();
  const { messenger } = await messengerAt(platform);
  expect(await messenger.signIn({ ...ADA, email: 'ada' })).toBe('Not a valid email.');
  await platform.roundTrip();
  expect(platform.auth.requests.all).toEqual([]);
});

test('contract §3: a second sign-in while one waits or once signed in, refused without a request', async () => {
  const platform = await platformForTest();
  const { messenger } = await messengerAt(platform);
  const first = messenger.signIn(ADA);
  expect(await messenger.signIn(ADA)).toBe('Unknown error occured.');
  await first;
  expect(await messenger.signIn(ADA)).toBe('Unknown error occured.');
  expect(platform.auth.requests.all).toHaveLength(1);
});

test('refused once, the same credentials can be sent again', async () => {
  const platform = await platformForTest();
  platform.auth.answer('destroyed');
  const { messenger } = await messengerAt(platform);
  expect(await messenger.signIn(ADA)).toBe("Can't connect to the server.");
  platform.auth.answer({ body: 'account-1' });
  expect(await messenger.signIn(ADA)).toBeUndefined();
});

test.each([
  ['a/b?c#d e%2f', '/a%2Fb%3Fc%23d%20e%252f'],
  ['äß', '/%C3%A4%C3%9F'],
  ['../x', '/..%2Fx'],
])('contract §2: the account %j, one path segment', async (account, path) => {
  const platform = await platformForTest();
  platform.auth.answer({ body: account });
  const { messenger } = await messengerAt(platform);
  await messenger.signIn(ADA);
  expect(await platform.upgrades.next()).toBe(path);
});

test.each(['.', '..', JSON.stringify('\ud800')])(
  'an account %j that can be no path segment, an unknown error and signed out',
  async (body) => {
    const platform = await platformForTest();
    platform.auth.answer({ body });
    const { messenger, path } = await messengerAt(platform);
    expect(await messenger.signIn(ADA)).toBe('Unknown error occured.');
    expect([messenger.account(), existsSync(path)]).toEqual([false, false]);
  },
);

test('spec §3.1 row 4: started with a stored account, the session is launched at once', async () => {
  const path = await storedAccount('the platform');
  const platform = await platformForTest();
  const { messenger, told } = await messengerAt(platform, { path });
  expect(messenger.account()).toBe('account-1');
  messenger.start();
  expect((await platform.sockets.next()).path).toBe('/account-1');
  expect(told).toEqual([]);
  expect(platform.auth.requests.all).toEqual([]);
});

test('started with no account, no session', async () => {
  const platform = await platformForTest();
  const { messenger, clock } = await messengerAt(platform);
  messenger.start();
  await platform.roundTrip();
  expect(platform.upgrades.all).toEqual([]);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §2: started against another platform, signed out and the file untouched', async () => {
  const path = await storedAccount('one');
  const before = readFileSync(path);
  const platform = await platformForTest();
  const elsewhere = await messengerAt(platform, { path, platformName: 'another' });
  elsewhere.messenger.start();
  await elsewhere.keeper.flush();
  expect(elsewhere.messenger.account()).toBe(false);
  expect(readFileSync(path)).toEqual(before);
  const back = await messengerAt(platform, { path, platformName: 'one' });
  expect(back.messenger.account()).toBe('account-1');
});

test('signed in at another platform with the same identifier, stored for that one', async () => {
  const path = await storedAccount('one');
  const platform = await platformForTest();
  await (await messengerAt(platform, { path, platformName: 'another' })).messenger.signIn(ADA);
  const { messenger } = await messengerAt(platform, { path, platformName: 'another' });
  expect(messenger.account()).toBe('account-1');
});

test('a folder that cannot be written to, signed in all the same and one line in the log', async () => {
  const folder = mainFolder();
  writeFileSync(join(folder, 'a file'), '');
  const { messenger, kept } = await signedIn({ path: join(folder, 'a file', 'account.json') });
  expect(messenger.account()).toBe('account-1');
  expect(kept.lines().filter(({ level }) => level === 'error')).toEqual([
    {
      level: 'error',
      code: 'ENOTDIR',
      msg: 'the account could not be kept: the next start will not know it',
    },
  ]);
});

test('spec §3.1 row 5: logout, the account deleted, then windows told, then the session ended', async () => {
  const seen: unknown[] = [];
  const path = join(mainFolder(), 'account.json');
  const { messenger, told, socket, person } = await signedIn({
    path,
    onTold: (account) => {
      if (account === false) seen.push(existsSync(path), person());
    },
  });
  await messenger.signOut();
  expect(seen).toEqual([false, 'Ada Lovelace']);
  expect(told).toEqual([{ account: 'account-1' }, { account: false }]);
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
  expect(person()).toBeNull();
  expect(messenger.account()).toBe(false);
});

test('contract §5: logged out with updates waiting, none is applied and no timer is left', async () => {
  const { messenger, store, clock, socket, platform, person } = await signedIn();
  socket.send({ name: 'waiting' });
  await until(store, ({ queue }) => queue.length === 1);
  socket.send({ name: 'on its way' });
  socket.close(1008, 'unauthorized');
  await messenger.signOut();
  expect(clock.nextDue()).toBeUndefined();
  await socket.closed;
  await platform.roundTrip();
  expect(person()).toBeNull();
  expect(store.getState().queue).toEqual({ length: 0, bytes: 0 });
  expect(platform.upgrades.all).toHaveLength(1);
});

test('logged out twice, windows are told once', async () => {
  const { messenger, told } = await signedIn();
  await Promise.all([messenger.signOut(), messenger.signOut()]);
  expect(told).toHaveLength(2);
});

test('logged out and in again, a session of its own', async () => {
  const { messenger, platform, store, clock, person } = await signedIn();
  await messenger.signOut();
  platform.auth.answer({ body: 'account-2' });
  expect(await messenger.signIn(ADA)).toBeUndefined();
  const second = await platform.sockets.next();
  expect(second.path).toBe('/account-2');
  second.send({ name: 'Mary' });
  await until(store, ({ queue }) => queue.length === 1);
  clock.advance(100);
  expect(person()).toBe('Mary');
});

test('spec §3.1 row 6: closed with the reason `unauthorized`, logged out and windows told why', async () => {
  const { messenger, store, told, socket, platform, path, clock, person } = await signedIn();
  socket.close(1008, 'unauthorized');
  await until(store, ({ account }) => account.id === null);
  await until(store, ({ conversation }) => conversation.person === null);
  expect(told.at(-1)).toEqual({ account: false, reason: 'unauthorized' });
  expect([messenger.account(), existsSync(path), person()]).toEqual([false, false, null]);
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('spec §3.2: closed with another reason, still logged in, and connected again on request', async () => {
  const { messenger, store, told, socket, platform } = await signedIn();
  socket.close(1000, 'maintenance');
  await until(store, ({ connection }) => connection.closedBecause === 'maintenance');
  expect(told).toEqual([{ account: 'account-1' }]);
  messenger.reconnect();
  expect(store.getState().connection.closedBecause).toBeNull();
  await platform.sockets.next();
});

test('spec §3.2 row 1: a pong received, connected; closed, disconnected', async () => {
  const { store, clock, socket } = await signedIn();
  expect(store.getState().connection.status).toBe('disconnected');
  clock.advance(1000);
  await until(store, ({ connection }) => connection.status === 'connected');
  socket.close();
  await until(store, ({ connection }) => connection.status === 'disconnected');
});

test('spec §6.3: pongs go on, connected is said once', async () => {
  const { store, clock, platform } = await signedIn();
  clock.advance(1000);
  await until(store, ({ connection }) => connection.status === 'connected');
  const { sequence } = store.getState();
  clock.advance(3000);
  await platform.roundTrip();
  expect(store.getState().sequence).toBe(sequence);
});

test('contract §5: ticks are counted from the launch, across a reconnect', async () => {
  const session = await signedIn();
  const { store, clock, platform, person } = session;
  clock.advance(60);
  await loseConnection(session);
  clock.advance(500);
  const second = await platform.sockets.next();
  second.send({ name: 'Mary' });
  await until(store, ({ queue }) => queue.length === 1);
  clock.advance(39);
  expect(person()).toBe('Ada Lovelace');
  clock.advance(1);
  expect(person()).toBe('Mary');
});

test('contract §5: closed with updates waiting, they are applied at their ticks all the same', async () => {
  const session = await signedIn();
  const { store, clock, socket, person } = session;
  socket.send({ name: 'one' });
  socket.send({ name: 'two' });
  await until(store, ({ queue }) => queue.length === 2);
  await loseConnection(session);
  clock.advance(100);
  expect(person()).toBe('one');
  clock.advance(100);
  expect(person()).toBe('two');
});

test('contract §5: frames that are no updates, counted by reason and logged without what they say', async () => {
  const { store, socket, kept } = await signedIn();
  socket.sendBinary(Buffer.from('secret'));
  socket.sendText('{secret');
  socket.sendText('"secret"');
  socket.send({ modifier: 'ai', content: [{ category: 'text', text: { secret: true } }] });
  socket.send({ name: 'Mary' });
  await until(store, ({ queue }) => queue.length === 1);
  expect(store.getState().counts).toMatchObject({
    received: 6,
    applied: 1,
    rejected: { notText: 1, notJson: 1, notAnObject: 1, wrongType: 1 },
  });
  expect(kept.lines().filter(({ msg }) => msg === 'frame rejected')).toEqual([
    { level: 'warn', reason: 'notText', bytes: 6, msg: 'frame rejected' },
    { level: 'warn', reason: 'notJson', bytes: 7, msg: 'frame rejected' },
    { level: 'warn', reason: 'notAnObject', bytes: 8, msg: 'frame rejected' },
    { level: 'warn', reason: 'wrongType', where: 'content[0].text', bytes: 72, msg: 'frame rejected' },
  ]);
});

test('spec §4.2: sent while open, on the wire and counted, the conversation unchanged', async () => {
  const { messenger, store, socket } = await signedIn();
  const before = toSnapshot(store.getState().conversation);
  messenger.send({ category: 'text', text: 'hello', blob: null });
  messenger.send({ category: 'image', text: 'a.png', blob: 'AAEC' });
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello","blob":null}');
  expect(await socket.frames.next()).toBe('{"category":"image","text":"a.png","blob":"AAEC"}');
  expect(store.getState().counts).toMatchObject({ sent: 2, dropped: 0 });
  expect(toSnapshot(store.getState().conversation)).toEqual(before);
});

test('spec §7 row 13: sent while not open, dropped, counted and logged without its text', async () => {
  const session = await signedIn();
  const { messenger, store, kept, platform, clock } = session;
  await loseConnection(session);
  const before = store.getState().conversation;
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(store.getState().counts).toMatchObject({ sent: 0, dropped: 1 });
  expect(store.getState().conversation).toBe(before);
  expect(kept.lines().at(-1)).toEqual({
    level: 'warn',
    category: 'text',
    msg: 'not connected: message dropped',
  });
  clock.advance(500);
  const second = await platform.sockets.next();
  messenger.reconnect();
  await platform.roundTrip();
  expect(second.frames.all).toEqual([]);
});

test('spec §8: a text of 250 characters or an empty one, not sent; one of 249, sent', async () => {
  const { messenger, socket } = await signedIn();
  messenger.send({ category: 'text', text: 'x'.repeat(250), blob: null });
  messenger.send({ category: 'text', text: '', blob: null });
  messenger.send({ category: 'text', text: 'x'.repeat(249), blob: null });
  expect(JSON.parse(await socket.frames.next())).toMatchObject({ text: 'x'.repeat(249) });
});

test('sent while signed out, dropped and logged without its text', async () => {
  const { messenger, kept } = await messengerAt(await platformForTest());
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(kept.lines()).toEqual([{ level: 'warn', category: 'text', msg: 'not signed in: message dropped' }]);
});

test('over 64 MB waiting, no more is read until half is drained', async () => {
  const { store, clock, socket, platform } = await signedIn();
  const frame = JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) });
  for (let sent = 0; sent < 11; sent++) socket.sendText(frame);
  const waiting = () => store.getState().queue.length;
  await until(store, () => waiting() === 8);
  await platform.roundTrip();
  expect(waiting()).toBe(8);
  clock.advance(400);
  await platform.roundTrip();
  expect(waiting()).toBe(4);
  clock.advance(100);
  await until(store, () => waiting() === 6);
  expect(store.getState().counts).toMatchObject({ received: 12, ignored: 5 });
});

test('a frame over the limit, counted, told why, and not connected again by itself', async () => {
  const { store, socket, platform, clock } = await signedIn();
  socket.sendText(Buffer.alloc(64 * 1024 * 1024 + 1, 0x20));
  await until(store, ({ connection }) => connection.closedBecause !== null);
  expect(store.getState().counts.rejected).toEqual({ tooLarge: 1 });
  clock.advance(10_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('quit, the connection closed, the account kept and the windows told nothing', async () => {
  const { messenger, socket, told, path, clock } = await signedIn();
  messenger.quit();
  expect((await socket.closed).code).toBe(1001);
  expect(told).toHaveLength(1);
  expect(existsSync(path)).toBe(true);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §1: a whole session, and the log holds no password, account or text', async () => {
  const platform = await platformForTest();
  const { messenger, store, kept, clock } = await messengerAt(platform);
  const secrets = ['secret-account', ADA.password, ADA.email, 'secret-text', 'secret-blob', 'secret-reason'];
  platform.auth.answer({ status: 401, body: 'secret-text' });
  await messenger.signIn(ADA);
  platform.auth.answer({ body: 'secret-account' });
  await messenger.signIn(ADA);
  const socket = await platform.sockets.next();
  socket.send({ modifier: 'ai', content: [{ category: 'text', text: 'secret-text' }] });
  socket.sendText('secret-text');
  socket.send({ name: ['secret-text'] });
  await until(store, ({ counts }) => counts.received === 3);
  clock.advance(1000);
  messenger.send({ category: 'text', text: 'secret-text', blob: null });
  messenger.send({ category: 'text', text: 'secret-text'.repeat(50), blob: null });
  socket.close(1000, 'secret-reason');
  await until(store, ({ connection }) => connection.closedBecause !== null);
  messenger.send({ category: 'text', text: 'secret-text', blob: null });
  messenger.reconnect();
  const second = await platform.sockets.next();
  second.close(1008, 'unauthorized');
  await until(store, ({ account }) => account.id === null);
  messenger.send({ category: 'text', text: 'secret-text', blob: null });
  expect(kept.lines().length).toBeGreaterThan(8);
  for (const secret of secrets) expect(kept.text()).not.toContain(secret);
});
