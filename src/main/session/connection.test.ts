import { expect, test } from 'vitest';
import { LOST, connectTo, framesIn, openConnection } from '#tests/builders/connectTo.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';

test('spec §3.2 row 3, §8 ping interval, contract §5 first ping: sends the first ping exactly 1000 ms after the socket opens, then one every 1000 ms', async () => {
  const { platform, clock, socket } = await openConnection();
  clock.advance(999);
  await platform.roundTrip();
  expect(socket.pings.all).toHaveLength(0);
  clock.advance(1);
  await socket.pings.next();
  clock.advance(999);
  await platform.roundTrip();
  expect(socket.pings.all).toHaveLength(1);
  clock.advance(1);
  await socket.pings.next();
  clock.advance(3000);
  for (let ping = 3; ping <= 5; ping++) await socket.pings.next();
  expect(socket.pings.all).toHaveLength(5);
});

test('spec §3.2 row 1: confirms the connection at the first pong and not before', async () => {
  const { platform, clock, events } = await openConnection({ answersPings: true });
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  clock.advance(1000);
  expect(await events.next()).toBe('confirmed');
});

test('spec §3.2 row 2, §7 row 12, §8 reconnect delay: connects again 500 ms after a close with an empty reason', async () => {
  const { platform, clock, events, socket } = await openConnection();
  socket.close(1001, '');
  expect(await events.next()).toEqual({ closed: { code: 1001, reason: '' } });
  clock.advance(499);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  clock.advance(1);
  expect((await platform.sockets.next()).path).toBe('/account-1');
  expect(await events.next()).toBe('opened');
});

test('spec §3.2 row 2, §8 reconnect delay: connects again 500 ms after the connection breaks without a close frame', async () => {
  const { platform, clock, events, socket } = await openConnection();
  socket.terminate();
  expect(await events.next()).toEqual(LOST);
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('spec §3.2 row 2: sends the first ping 1000 ms after a reconnect, and none from the old socket', async () => {
  const { platform, clock, events, socket } = await openConnection();
  clock.advance(700);
  socket.close();
  await events.next();
  clock.advance(500);
  const second = await platform.sockets.next();
  await events.next();
  clock.advance(999);
  await platform.roundTrip();
  expect(second.pings.all).toHaveLength(0);
  clock.advance(1);
  await second.pings.next();
});

test('spec §3.2 row 2: does not connect again after a close with the reason `unauthorized`', async () => {
  const { platform, clock, events, socket } = await openConnection();
  socket.close(1008, 'unauthorized');
  expect(await events.next()).toEqual({ closed: { code: 1008, reason: 'unauthorized' } });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('spec §3.2 row 2: does not connect again after a close with another reason until it is requested', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  socket.close(1000, 'maintenance');
  expect(await events.next()).toEqual({ closed: { code: 1000, reason: 'maintenance' } });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  connection.reconnect();
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('ignores a reconnect while the socket is open or before a retry', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.reconnect();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  socket.close();
  await events.next();
  connection.reconnect();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  clock.advance(500);
  await platform.sockets.next();
  await events.next();
  clock.advance(2000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(2);
});

test('spec §3.2 errors: treats an upgrade that is refused with 401 as a close with an empty reason and retries after 500 ms', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades(401);
  const { clock, events } = connectTo(platform);
  expect(await events.next()).toEqual(LOST);
  clock.advance(499);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  platform.answerUpgrades('accepted');
  clock.advance(1);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('spec §3.2 errors: retries every 500 ms until a server listens at the address', async () => {
  const gone = await platformForTest();
  await gone.stop();
  const { clock, events } = connectTo(gone);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await events.next()).toEqual(LOST);
    if (attempt < 2) clock.advance(500);
  }
  const back = await platformForTest({ port: gone.port });
  clock.advance(500);
  await back.sockets.next();
  expect(await events.next()).toBe('opened');
});

test('spec §4.2: sends the text unchanged while the socket is open', async () => {
  const { connection, socket } = await openConnection();
  expect(connection.send('{"category":"text"}')).toBe('sent');
  expect(await socket.frames.next()).toBe('{"category":"text"}');
});

test('spec §4.2 not open: refuses to send while connecting, closed or stopped', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, connection, events } = connectTo(platform);
  await platform.upgrades.next();
  expect(connection.send('connecting')).toBe('closed');
  clock.advance(10_000);
  await events.next();
  expect(connection.send('waiting for the retry')).toBe('closed');
  platform.answerUpgrades('accepted');
  clock.advance(500);
  const socket = await platform.sockets.next();
  await events.next();
  socket.close(1000, 'maintenance');
  await events.next();
  expect(connection.send('stopped')).toBe('closed');
  connection.reconnect();
  const second = await platform.sockets.next();
  await events.next();
  connection.send('open');
  expect(await second.frames.next()).toBe('open');
  expect([...socket.frames.all, ...second.frames.all]).toEqual(['open']);
});

test('closes with the code and the reason of `end()`', async () => {
  const { connection, socket } = await openConnection();
  connection.end(1000, 'logout');
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
});

test('contract §5 ended: ignores late frames and the close after `end()`, whatever the peer echoes', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({ answersPings: true });
  socket.sendText('late');
  void socket.ping();
  socket.close(1008, 'unauthorized');
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await socket.closed;
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  expect(platform.upgrades.all).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §5: reports no event and does not retry when it is ended while connecting', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, connection, events } = connectTo(platform);
  await platform.upgrades.next();
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(events.all).toEqual([]);
  expect(platform.upgrades.all).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §5: does not retry when it is ended while waiting for a retry', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  socket.close();
  await events.next();
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('contract §5: does not retry when a listener of the close ends it', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({
    onEvent: (what) => {
      if (typeof what === 'object' && 'closed' in what) connection.end(1000, 'logout');
    },
  });
  socket.close();
  await events.next();
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('reads again only when the queue and the capture can both take more', async () => {
  const { platform, connection, events, socket } = await openConnection();
  connection.pause('queue');
  connection.pause('capture');
  socket.sendText('one');
  connection.resume('queue');
  await platform.roundTrip();
  expect(framesIn(events)).toEqual([]);
  connection.resume('capture');
  expect(await events.next()).toEqual({ frame: 'one' });
});

test('contract §5: closes the socket and reports no frame when it is ended while paused', async () => {
  const { platform, connection, events, socket } = await openConnection();
  connection.pause('queue');
  socket.sendText('one');
  await platform.roundTrip();
  connection.end(1000, 'logout');
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
});

test('neither sends nor connects again after `end()`', async () => {
  const { platform, connection, events, socket } = await openConnection();
  socket.close(1000, 'maintenance');
  await events.next();
  connection.end(1000, 'logout');
  connection.reconnect();
  expect(connection.send('late')).toBe('closed');
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});
