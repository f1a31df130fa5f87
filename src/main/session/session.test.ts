import { expect, test } from 'vitest';
import type { KnownRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import type { Source } from '../store/mainStore.ts';
import { FRAME_BYTES } from '#shared/limits.ts';
import { messengerAt, signedInMessenger, waitForState } from '#tests/builders/messengerAt.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';

/** Closes the socket with an empty reason; resolves when the messenger has handled the close. */
async function loseConnection({
  socket,
  store,
}: Awaited<ReturnType<typeof signedInMessenger>>): Promise<void> {
  const before = store.getState().sequence;
  socket.close();
  await waitForState(store, ({ sequence }) => sequence > before);
}

test('spec §3.2: stays logged in after a close with another reason and connects again on request', async () => {
  const { reconnect, store, notified, socket, platform } = await signedInMessenger();
  socket.close(1000, 'maintenance');
  await waitForState(store, ({ connection }) => connection.closedBecause === 'maintenance');
  expect(notified).toEqual([{ account: 'account-1' }]);
  reconnect();
  expect(store.getState().connection.closedBecause).toBeNull();
  await platform.sockets.next();
});

test('spec §3.2 row 1: is connected after a pong and disconnected after a close', async () => {
  const { store, clock, socket } = await signedInMessenger();
  expect(store.getState().connection.status).toBe('disconnected');
  clock.advance(1000);
  await waitForState(store, ({ connection }) => connection.status === 'connected');
  socket.close();
  await waitForState(store, ({ connection }) => connection.status === 'disconnected');
});

test('spec §8 reconnect delay: the state and the record of a close contain the time of the next attempt, if there is one', async () => {
  const closes: KnownRecord[] = [];
  const record = (one: KnownRecord) => void (one.type === 'close' && closes.push(one));
  const main = await signedInMessenger({
    capture: { action() {}, launched() {}, record, pauseWhileFull() {}, ended() {} },
  });
  await loseConnection(main);
  expect(main.store.getState().connection.retryAt).toBe(500);
  main.clock.advance(500);
  (await main.platform.sockets.next()).close(1000, 'maintenance');
  await waitForState(main.store, ({ connection }) => connection.closedBecause !== null);
  expect(main.store.getState().connection.retryAt).toBeUndefined();
  expect(closes).toMatchObject([{ reason: '', retryAt: 500 }, { reason: 'maintenance' }]);
  expect(closes[1]).not.toHaveProperty('retryAt');
});

test('reads the time of day again after the machine was asleep, because the clock of the ticks may have stopped', async () => {
  const { messenger, store, clock } = await signedInMessenger();
  clock.advance(1000);
  messenger.onResume();
  expect(store.getState().timesOfDay).toEqual([
    { sinceLaunch: 0, timeOfDay: 0 },
    { sinceLaunch: 1100, timeOfDay: 0 },
  ]);
});

test('spec §6.3 ws: reports `connected` once while pongs continue', async () => {
  const { store, clock, platform } = await signedInMessenger();
  clock.advance(1000);
  await waitForState(store, ({ connection }) => connection.status === 'connected');
  const { sequence } = store.getState();
  clock.advance(3000);
  await platform.roundTrip();
  expect(store.getState().sequence).toBe(sequence);
});

test('contract §5 ticks: counts ticks from the launch, across a reconnect', async () => {
  const session = await signedInMessenger();
  const { store, clock, platform, person } = session;
  clock.advance(60);
  await loseConnection(session);
  clock.advance(500);
  const second = await platform.sockets.next();
  second.send({ name: 'Mary' });
  await waitForState(store, ({ queue }) => queue.length === 1);
  clock.advance(39);
  expect(person()).toBe('Ada Lovelace');
  clock.advance(1);
  expect(person()).toBe('Mary');
});

test('contract §5 ticks: applies waiting updates at their ticks after a close', async () => {
  const session = await signedInMessenger();
  const { store, clock, socket, person } = session;
  socket.send({ name: 'one' });
  socket.send({ name: 'two' });
  await waitForState(store, ({ queue }) => queue.length === 2);
  await loseConnection(session);
  clock.advance(100);
  expect(person()).toBe('one');
  clock.advance(100);
  expect(person()).toBe('two');
});

test('contract §5 rejected: counts rejected frames by reason and logs them without their text', async () => {
  const { store, socket, kept } = await signedInMessenger();
  socket.sendBinary(Buffer.from('secret'));
  socket.sendText('{secret');
  socket.sendText('"secret"');
  socket.send({ modifier: 'ai', content: [{ category: 'text', text: { secret: true } }] });
  socket.send({ name: 'Mary' });
  await waitForState(store, ({ queue }) => queue.length === 1);
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

test('spec §4.2: sends and counts a message while open, and leaves the conversation unchanged', async () => {
  const { messenger, store, socket } = await signedInMessenger();
  const before = toSnapshot(store.getState().conversation);
  messenger.send({ category: 'text', text: 'hello', blob: null });
  messenger.send({ category: 'image', text: 'a.png', blob: 'AAEC' });
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello","blob":null}');
  expect(await socket.frames.next()).toBe('{"category":"image","text":"a.png","blob":"AAEC"}');
  expect(store.getState().counts).toMatchObject({ sent: 2, dropped: 0 });
  expect(toSnapshot(store.getState().conversation)).toEqual(before);
});

test('spec §7 row 13: drops a message while not open, counts it and logs it without its text', async () => {
  const session = await signedInMessenger();
  const { reconnect, messenger, store, kept, platform, clock } = session;
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
  reconnect();
  await platform.roundTrip();
  expect(second.frames.all).toEqual([]);
});

test('lets at most 32 MB wait for a platform that does not read, and refuses each further message with a notice', async () => {
  const { messenger, store, kept, notices, socket } = await signedInMessenger();
  socket.pause();
  const picture = { category: 'image', text: 'a.png', blob: 'A'.repeat(1_333_332) } as const;
  const { counts } = store.getState();
  for (let sent = 0; sent < 60; sent++) messenger.send(picture);
  const { sent, dropped } = store.getState().counts;
  expect(sent - counts.sent + dropped).toBe(60);
  // Beyond the limit the operating system has buffers of a few megabytes.
  expect(sent * picture.blob.length).toBeLessThan(48 * 1024 * 1024);
  expect(dropped).toBeGreaterThan(20);
  expect(notices).toEqual(
    Array(dropped).fill(
      'Your message was not sent, because the platform accepts none at the moment. Wait a little, then send it again.',
    ),
  );
  expect(kept.lines().at(-1)).toMatchObject({ msg: 'the platform does not read: message refused' });
  socket.resume();
  for (let received = 0; received < sent; received++) await socket.frames.next();
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello","blob":null}');
});

test('spec §8 text length: sends a text of 249 characters, but not one of 250 or an empty one', async () => {
  const { messenger, socket } = await signedInMessenger();
  messenger.send({ category: 'text', text: 'x'.repeat(250), blob: null });
  messenger.send({ category: 'text', text: '', blob: null });
  messenger.send({ category: 'text', text: 'x'.repeat(249), blob: null });
  expect(JSON.parse(await socket.frames.next())).toMatchObject({ text: 'x'.repeat(249) });
});

test('drops a message while signed out and logs it without its text', async () => {
  const { messenger, kept } = await messengerAt(await platformForTest());
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(kept.lines()).toEqual([{ level: 'warn', category: 'text', msg: 'not signed in: message dropped' }]);
});

test('stops reading at 64 MB of waiting frames until half is released', async () => {
  const { store, clock, socket, platform } = await signedInMessenger();
  const frame = JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) });
  for (let sent = 0; sent < 11; sent++) socket.sendText(frame);
  const waiting = () => store.getState().queue.length;
  await waitForState(store, () => waiting() === 8);
  await platform.roundTrip();
  expect(waiting()).toBe(8);
  clock.advance(400);
  await platform.roundTrip();
  expect(waiting()).toBe(4);
  clock.advance(100);
  await waitForState(store, () => waiting() === 6);
  expect(store.getState().counts).toMatchObject({ received: 12, ignored: 5 });
});

test('stops reading at 64 MB of memory in a few MB of frames until half is released', async () => {
  const { store, clock, socket, platform } = await signedInMessenger();
  // About 27 MB of memory each for 1 MB on the wire.
  const frame = `{"text":"","unknown":[${'{},'.repeat(300_000)}{}]}`;
  for (let sent = 0; sent < 6; sent++) socket.sendText(frame);
  const waiting = () => store.getState().queue.length;
  await waitForState(store, () => waiting() === 3);
  await platform.roundTrip();
  expect(waiting()).toBe(3);
  clock.advance(200);
  await waitForState(store, () => waiting() === 3);
});

test('receives a frame whose update needs more than 64 MB of memory, and the frames after it', async () => {
  const { store, clock, socket, platform } = await signedInMessenger();
  socket.sendText(`{"text":"","unknown":[${'{},'.repeat(900_000)}{}]}`);
  socket.send({ name: 'Mary' });
  const waiting = () => store.getState().queue.length;
  await waitForState(store, () => waiting() === 1);
  await platform.roundTrip();
  clock.advance(100);
  await waitForState(store, () => waiting() === 1);
  clock.advance(100);
  expect(store.getState().conversation.person).toBe('Mary');
});

test('counts a frame over the limit, closes with a reason and does not reconnect by itself', async () => {
  const { store, socket, platform, clock } = await signedInMessenger();
  socket.sendHeader(FRAME_BYTES + 1);
  await waitForState(store, ({ connection }) => connection.closedBecause !== null);
  expect(store.getState().counts.rejected).toEqual({ tooLarge: 1 });
  clock.advance(10_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('contract §5 silence, contract §6: waits for the capture without measuring silence, and ends in the meantime', async () => {
  const sources: Source[] = [];
  const pauseWhileFull = (source: Source) => void sources.push(source);
  const capture = { action() {}, launched() {}, record() {}, pauseWhileFull, ended() {} };
  const { socket, platform, store, clock, messenger } = await signedInMessenger({ capture });
  sources[0]?.pause();
  socket.send({ name: 'Mary' });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(store.getState().counts.received).toBe(1);
  expect(store.getState().connection.closedBecause).toBeNull();
  sources[0]?.resume();
  await waitForState(store, ({ counts }) => counts.received === 2);
  sources[0]?.pause();
  await messenger.signOut();
  await socket.closed;
  sources[0]?.resume();
  expect(store.getState().connection.status).toBe('disconnected');
});

test('contract §6: notifies the capture of each frame once, with its decoded update', async () => {
  const received: unknown[][] = [];
  const capture = {
    action() {},
    launched() {},
    record: (record: KnownRecord, update?: unknown) =>
      void (record.type === 'recv' && received.push([record.data, update])),
    pauseWhileFull() {},
    ended() {},
  };
  const { socket, platform } = await signedInMessenger({ capture });
  received.length = 0;
  socket.send({ name: 'Mary' });
  socket.send('text');
  await platform.roundTrip();
  expect(received).toEqual([
    ['{"name":"Mary"}', expect.objectContaining({ kind: 'name' })],
    ['"text"', expect.objectContaining({ kind: 'rejected', reason: 'notAnObject' })],
  ]);
});
