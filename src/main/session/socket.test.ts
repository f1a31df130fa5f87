import { expect, test } from 'vitest';
import { FRAME_BYTES } from '#shared/limits.ts';
import { LOST, connectTo, framesIn, openConnection } from '#tests/builders/mainConnection.ts';
import { platformForTest } from '#tests/builders/mainPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { TOO_LARGE_REASON } from './socket.ts';

test('contract §5 silence: peer silent for 10 s, cut with an empty reason and connected anew', async () => {
  const { platform, clock, told, socket } = await openConnection();
  clock.advance(9999);
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
  clock.advance(1);
  expect(await told.next()).toEqual(LOST);
  expect(await socket.closed).toMatchObject({ code: 1006 });
  clock.advance(500);
  await platform.sockets.next();
  expect(await told.next()).toBe('opened');
});

test('contract §5: peer silent during the handshake for 10 s, cut and connected anew', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, told } = connectTo(platform);
  await platform.upgrades.next();
  clock.advance(9999);
  await platform.roundTrip();
  expect(told.all).toEqual([]);
  clock.advance(1);
  expect(await told.next()).toEqual(LOST);
  platform.answerUpgrades('accepted');
  clock.advance(500);
  await platform.sockets.next();
  expect(await told.next()).toBe('opened');
});

test.each<[string, (socket: PlatformSocket) => unknown]>([
  ['a frame', (socket) => socket.send({ name: 'Ada' })],
  ['a frame that is no update', (socket) => socket.sendBinary(Uint8Array.of(0))],
  ['a ping', (socket) => socket.ping()],
  ['a pong', (socket) => socket.pong()],
  ['a part of a long frame', (socket) => socket.sendPart('{"na', false)],
])('contract §5: %s came after 9,999 ms, 10 s more until the peer is cut', async (_, sendSomething) => {
  const { platform, clock, told, socket } = await openConnection();
  clock.advance(9999);
  await sendSomething(socket);
  await platform.roundTrip();
  clock.advance(9999);
  await platform.roundTrip();
  expect(told.all).not.toContainEqual(LOST);
  clock.advance(1);
  await socket.closed;
  await platform.roundTrip();
  expect(told.all).toContainEqual(LOST);
});

test('paused, no frame is told and silence does not count; resumed, all come in order', async () => {
  const { platform, clock, connection, told, socket } = await openConnection();
  connection.pause();
  for (const name of ['one', 'two', 'three']) socket.sendText(name);
  clock.advance(60_000);
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
  connection.resume();
  for (const frame of ['one', 'two', 'three']) expect(await told.next()).toEqual({ frame });
  clock.advance(9999);
  await platform.roundTrip();
  expect(told.all).not.toContainEqual(LOST);
  clock.advance(1);
  expect(await told.next()).toEqual(LOST);
});

test('paused by the first of several frames that came together, silence does not count all the same', async () => {
  const { platform, clock, connection, told, socket } = await openConnection({
    onTold: (what) => {
      if (typeof what === 'object' && 'frame' in what && what.frame === 'one') connection.pause();
    },
  });
  for (const name of ['one', 'two', 'three']) socket.sendText(name);
  expect(await told.next()).toEqual({ frame: 'one' });
  await platform.roundTrip();
  clock.advance(60_000);
  await platform.roundTrip();
  expect(told.all).not.toContainEqual(LOST);
});

test('paused while connecting, the socket that opens is paused too', async () => {
  const platform = await platformForTest();
  platform.answerPings(false);
  const { clock, connection, told } = connectTo(platform);
  connection.pause();
  const socket = await platform.sockets.next();
  expect(await told.next()).toBe('opened');
  socket.sendText('one');
  clock.advance(60_000);
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
  connection.resume();
  expect(await told.next()).toEqual({ frame: 'one' });
});

test('the line broke while paused, the next socket is paused too', async () => {
  const { platform, clock, connection, told, socket } = await openConnection();
  connection.pause();
  socket.terminate();
  await socket.closed;
  // A paused line is not read: it is the next pings that find it broken.
  while (!told.all.some((what) => what !== 'opened')) {
    clock.advance(1000);
    await platform.roundTrip();
  }
  expect(await told.next()).toEqual(LOST);
  clock.advance(500);
  const second = await platform.sockets.next();
  expect(await told.next()).toBe('opened');
  second.sendText('one');
  await platform.roundTrip();
  expect(framesIn(told)).toEqual([]);
  connection.resume();
  expect(await told.next()).toEqual({ frame: 'one' });
});

test('a frame over the limit, told once and closed with a reason of ours, and not connected anew', async () => {
  const { platform, clock, told, socket } = await openConnection();
  socket.sendHeader(FRAME_BYTES + 1);
  expect(await told.next()).toBe('tooLarge');
  expect(await told.next()).toMatchObject({ closed: { reason: TOO_LARGE_REASON } });
  expect((await socket.closed).code).toBe(1009);
  clock.advance(60_000);
  await platform.roundTrip();
  expect(told.all).toHaveLength(3);
  expect(platform.upgrades.all).toHaveLength(1);
});

test('a frame of 10 MB, told whole', async () => {
  const { told, socket } = await openConnection();
  const text = `{"name":"${'ä'.repeat(5 * 1024 * 1024)}"}`;
  socket.sendText(text);
  const frame = await told.next();
  expect(frame).toEqual({ frame: expect.any(String) });
  expect(JSON.stringify(frame) === JSON.stringify({ frame: text })).toBe(true);
});

test('a frame in parts, told once it is whole', async () => {
  const { told, socket } = await openConnection();
  socket.sendPart('{"name":', false);
  socket.sendPart('"Ada"}', true);
  expect(await told.next()).toEqual({ frame: '{"name":"Ada"}' });
});

test('contract §5 rejected: a binary frame and one that is not UTF-8, told as no text, and the socket stays open', async () => {
  const { told, socket } = await openConnection();
  socket.sendBinary(Buffer.from('{"name":"Ada"}'));
  socket.sendText(Uint8Array.of(0x22, 0xff, 0x22));
  socket.sendText('{"name":"Ada"}');
  expect(await told.next()).toEqual({ frame: null });
  expect(await told.next()).toEqual({ frame: null });
  expect(await told.next()).toEqual({ frame: '{"name":"Ada"}' });
});
