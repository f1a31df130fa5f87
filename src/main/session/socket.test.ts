import { expect, test } from 'vitest';
import { FRAME_BYTES } from '#shared/limits.ts';
import { LOST, connectTo, framesIn, openConnection } from '#tests/builders/connectTo.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { TOO_LARGE_REASON } from './platformSocket.ts';

test('contract §5 silence: terminates the connection of a peer that is silent for 10 s, with an empty reason, and reconnects', async () => {
  const { platform, clock, events, socket } = await openConnection();
  clock.advance(9999);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  clock.advance(1);
  expect(await events.next()).toEqual(LOST);
  expect(await socket.closed).toMatchObject({ code: 1006 });
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('contract §5: terminates a handshake after 10 s of silence and connects again', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, events } = connectTo(platform);
  await platform.upgrades.next();
  clock.advance(9999);
  await platform.roundTrip();
  expect(events.all).toEqual([]);
  clock.advance(1);
  expect(await events.next()).toEqual(LOST);
  platform.answerUpgrades('accepted');
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test.each<[string, (socket: PlatformSocket) => unknown]>([
  ['a frame', (socket) => socket.send({ name: 'Ada' })],
  ['a frame that is no update', (socket) => socket.sendBinary(Uint8Array.of(0))],
  ['a ping', (socket) => socket.ping()],
  ['a pong', (socket) => socket.pong()],
  ['a part of a long frame', (socket) => socket.sendPart('{"na', false)],
])('contract §5: waits 10 s more when %s arrives after 9,999 ms', async (_, sendSomething) => {
  const { platform, clock, events, socket } = await openConnection();
  clock.advance(9999);
  await sendSomething(socket);
  await platform.roundTrip();
  clock.advance(9999);
  await platform.roundTrip();
  expect(events.all).not.toContainEqual(LOST);
  clock.advance(1);
  await socket.closed;
  await platform.roundTrip();
  expect(events.all).toContainEqual(LOST);
});

test('reports no frame and measures no silence while paused, and reports all frames in order after `resume`', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.pause('queue');
  for (const name of ['one', 'two', 'three']) socket.sendText(name);
  clock.advance(60_000);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  connection.resume('queue');
  for (const frame of ['one', 'two', 'three']) expect(await events.next()).toEqual({ frame });
  clock.advance(9999);
  await platform.roundTrip();
  expect(events.all).not.toContainEqual(LOST);
  clock.advance(1);
  expect(await events.next()).toEqual(LOST);
});

test('measures no silence when the first of several frames pauses it', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({
    onEvent: (what) => {
      if (typeof what === 'object' && 'frame' in what && what.frame === 'one') connection.pause('queue');
    },
  });
  for (const name of ['one', 'two', 'three']) socket.sendText(name);
  expect(await events.next()).toEqual({ frame: 'one' });
  await platform.roundTrip();
  clock.advance(60_000);
  await platform.roundTrip();
  expect(events.all).not.toContainEqual(LOST);
});

test('pauses a socket that opens after `pause`', async () => {
  const platform = await platformForTest();
  platform.answerPings(false);
  const { clock, connection, events } = connectTo(platform);
  connection.pause('queue');
  const socket = await platform.sockets.next();
  expect(await events.next()).toBe('opened');
  socket.sendText('one');
  clock.advance(60_000);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  connection.resume('queue');
  expect(await events.next()).toEqual({ frame: 'one' });
});

test('pauses the next socket when the connection breaks while paused', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.pause('queue');
  socket.terminate();
  await socket.closed;
  // A paused socket is not read: only the next pings detect that it is broken.
  while (!events.all.some((what) => what !== 'opened')) {
    clock.advance(1000);
    await platform.roundTrip();
  }
  expect(await events.next()).toEqual(LOST);
  clock.advance(500);
  const second = await platform.sockets.next();
  expect(await events.next()).toBe('opened');
  second.sendText('one');
  await platform.roundTrip();
  expect(framesIn(events)).toEqual([]);
  connection.resume('queue');
  expect(await events.next()).toEqual({ frame: 'one' });
});

test('reports a frame over the limit once, closes with its own reason and does not reconnect', async () => {
  const { platform, clock, events, socket } = await openConnection();
  socket.sendHeader(FRAME_BYTES + 1);
  expect(await events.next()).toBe('tooLarge');
  expect(await events.next()).toMatchObject({ closed: { reason: TOO_LARGE_REASON } });
  expect((await socket.closed).code).toBe(1009);
  clock.advance(60_000);
  await platform.roundTrip();
  expect(events.all).toHaveLength(3);
  expect(platform.upgrades.all).toHaveLength(1);
});

test('reports a frame of 10 MB completely', async () => {
  const { events, socket } = await openConnection();
  const text = `{"name":"${'ä'.repeat(5 * 1024 * 1024)}"}`;
  socket.sendText(text);
  const frame = await events.next();
  expect(frame).toEqual({ frame: expect.any(String) });
  expect(JSON.stringify(frame) === JSON.stringify({ frame: text })).toBe(true);
});

test('reports a fragmented frame when it is complete', async () => {
  const { events, socket } = await openConnection();
  socket.sendPart('{"name":', false);
  socket.sendPart('"Ada"}', true);
  expect(await events.next()).toEqual({ frame: '{"name":"Ada"}' });
});

test('contract §5 rejected: reports a binary frame and invalid UTF-8 without text, and keeps the socket open', async () => {
  const { events, socket } = await openConnection();
  socket.sendBinary(Buffer.from('{"name":"Ada"}'));
  socket.sendText(Uint8Array.of(0x22, 0xff, 0x22));
  socket.sendText('{"name":"Ada"}');
  expect(await events.next()).toEqual({ frame: null });
  expect(await events.next()).toEqual({ frame: null });
  expect(await events.next()).toEqual({ frame: '{"name":"Ada"}' });
});
