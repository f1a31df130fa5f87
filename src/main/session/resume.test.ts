import { expect, test } from 'vitest';
import { LOST, openConnection } from '#tests/builders/connectTo.ts';

test('terminates a dead connection 1000 ms after a resume and replaces it within 2 s', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  clock.advance(700);
  connection.onResume();
  await socket.pings.next();
  clock.advance(999);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  clock.advance(1);
  expect(await events.next()).toEqual(LOST);
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
  expect(clock.now()).toBe(700 + 1500);
});

test('pings at once after a resume and keeps the connection when the platform answers', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({ answersPings: true });
  connection.onResume();
  await socket.pings.next();
  expect(await events.next()).toBe('confirmed');
  clock.advance(1500);
  await platform.roundTrip();
  expect(events.all.every((one) => one === 'opened' || one === 'confirmed')).toBe(true);
  expect(platform.upgrades.all).toHaveLength(1);
});

test('terminates the connection when only a pong from before the sleep arrives', async () => {
  const { clock, connection, events, socket } = await openConnection();
  connection.onResume();
  await socket.pings.next();
  socket.pong();
  expect(await events.next()).toBe('confirmed');
  clock.advance(1000);
  expect(await events.next()).toEqual(LOST);
});

test('keeps the connection after two resumes when the platform answers the second ping only', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.onResume();
  await socket.pings.next();
  clock.advance(900);
  socket.answerPings(true);
  connection.onResume();
  expect(await events.next()).toBe('confirmed');
  clock.advance(1000);
  await platform.roundTrip();
  expect(events.all).not.toContainEqual(LOST);
});

test('terminates a hanging handshake 1000 ms after a resume and retries', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  platform.answerUpgrades('held');
  socket.terminate();
  expect(await events.next()).toEqual(LOST);
  clock.advance(500);
  await platform.upgrades.next();
  await platform.upgrades.next();
  connection.onResume();
  clock.advance(1000);
  expect(await events.next()).toEqual(LOST);
  platform.answerUpgrades('accepted');
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('changes nothing at a resume between a close and its retry, or after a close with a reason', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  socket.close();
  await events.next();
  connection.onResume();
  clock.advance(500);
  const second = await platform.sockets.next();
  expect(await events.next()).toBe('opened');
  clock.advance(600);
  await platform.roundTrip();
  expect(events.all.filter((one) => one === 'opened')).toHaveLength(2);
  second.close(1000, 'maintenance');
  await events.next();
  connection.onResume();
  clock.advance(10_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(2);
});
