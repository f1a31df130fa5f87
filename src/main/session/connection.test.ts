import { expect, test } from 'vitest';
import { LOST, connectTo, openConnection } from '#tests/builders/mainConnection.ts';
import { platformForTest } from '#tests/builders/mainPlatform.ts';

test('spec §3.2 row 3, §8 ping interval, contract §5 first ping: socket opened, pinged after exactly 1000 ms and each 1000 ms from then on', async () => {
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

test('spec §3.2 row 1: pong received, told as confirmed, and not before', async () => {
  const { platform, clock, told } = await openConnection({ answersPings: true });
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
  clock.advance(1000);
  expect(await told.next()).toBe('confirmed');
});

test('spec §3.2 row 2, §7 row 12, §8 reconnect delay: socket closed with an empty reason, a new connection after 500 ms', async () => {
  const { platform, clock, told, socket } = await openConnection();
  socket.close(1001, '');
  expect(await told.next()).toEqual({ closed: { code: 1001, reason: '' } });
  clock.advance(499);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  clock.advance(1);
  expect((await platform.sockets.next()).path).toBe('/account-1');
  expect(await told.next()).toBe('opened');
});

test('spec §3.2 row 2, §8 reconnect delay: line broken without a close frame, a new connection after 500 ms', async () => {
  const { platform, clock, told, socket } = await openConnection();
  socket.terminate();
  expect(await told.next()).toEqual(LOST);
  clock.advance(500);
  await platform.sockets.next();
  expect(await told.next()).toBe('opened');
});

test('spec §3.2 row 2: reconnected, the first ping 1000 ms after the new opening and none from the old one', async () => {
  const { platform, clock, told, socket } = await openConnection();
  clock.advance(700);
  socket.close();
  await told.next();
  clock.advance(500);
  const second = await platform.sockets.next();
  await told.next();
  clock.advance(999);
  await platform.roundTrip();
  expect(second.pings.all).toHaveLength(0);
  clock.advance(1);
  await second.pings.next();
});

test('spec §3.2 row 2: closed with the reason `unauthorized`, no new connection', async () => {
  const { platform, clock, told, socket } = await openConnection();
  socket.close(1008, 'unauthorized');
  expect(await told.next()).toEqual({ closed: { code: 1008, reason: 'unauthorized' } });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('spec §3.2 row 2: closed with any other reason, no new connection until it is asked for', async () => {
  const { platform, clock, connection, told, socket } = await openConnection();
  socket.close(1000, 'maintenance');
  expect(await told.next()).toEqual({ closed: { code: 1000, reason: 'maintenance' } });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  connection.reconnect();
  await platform.sockets.next();
  expect(await told.next()).toBe('opened');
});

test('reconnect asked for while open or before a retry, nothing happens', async () => {
  const { platform, clock, connection, told, socket } = await openConnection();
  connection.reconnect();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  socket.close();
  await told.next();
  connection.reconnect();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  clock.advance(500);
  await platform.sockets.next();
  await told.next();
  clock.advance(2000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(2);
});

test('spec §3.2 errors: upgrade refused with 401, closed with an empty reason and tried again after 500 ms', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades(401);
  const { clock, told } = connectTo(platform);
  expect(await told.next()).toEqual(LOST);
  clock.advance(499);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  platform.answerUpgrades('accepted');
  clock.advance(1);
  await platform.sockets.next();
  expect(await told.next()).toBe('opened');
});

test('spec §3.2 errors: nobody listens at the address, tried again each 500 ms until somebody does', async () => {
  const gone = await platformForTest();
  await gone.stop();
  const { clock, told } = connectTo(gone);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await told.next()).toEqual(LOST);
    if (attempt < 2) clock.advance(500);
  }
  const back = await platformForTest({ port: gone.port });
  clock.advance(500);
  await back.sockets.next();
  expect(await told.next()).toBe('opened');
});

test('spec §4.2: sent while open, on the wire as it is', async () => {
  const { connection, socket } = await openConnection();
  expect(connection.send('{"category":"text"}')).toBe('sent');
  expect(await socket.frames.next()).toBe('{"category":"text"}');
});

test('spec §4.2 not open: sent while connecting, closed or stopped, refused and never on the wire', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, connection, told } = connectTo(platform);
  await platform.upgrades.next();
  expect(connection.send('connecting')).toBe('closed');
  clock.advance(10_000);
  await told.next();
  expect(connection.send('waiting for the retry')).toBe('closed');
  platform.answerUpgrades('accepted');
  clock.advance(500);
  const socket = await platform.sockets.next();
  await told.next();
  socket.close(1000, 'maintenance');
  await told.next();
  expect(connection.send('stopped')).toBe('closed');
  connection.reconnect();
  const second = await platform.sockets.next();
  await told.next();
  connection.send('open');
  expect(await second.frames.next()).toBe('open');
  expect([...socket.frames.all, ...second.frames.all]).toEqual(['open']);
});

test('ended, the platform sees the code and the reason', async () => {
  const { connection, socket } = await openConnection();
  connection.end(1000, 'logout');
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
});

test('contract §5 ended: ended, deaf to late frames and to the close, whatever the peer echoes', async () => {
  const { platform, clock, connection, told, socket } = await openConnection({ answersPings: true });
  socket.sendText('late');
  void socket.ping();
  socket.close(1008, 'unauthorized');
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await socket.closed;
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
  expect(platform.upgrades.all).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §5: ended while connecting, nothing is told and nothing tried', async () => {
  const platform = await platformForTest();
  platform.answerUpgrades('held');
  const { clock, connection, told } = connectTo(platform);
  await platform.upgrades.next();
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(told.all).toEqual([]);
  expect(platform.upgrades.all).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §5: ended while waiting for the retry, there is none', async () => {
  const { platform, clock, connection, told, socket } = await openConnection();
  socket.close();
  await told.next();
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('contract §5: ended by what hears of the close, no retry', async () => {
  const { platform, clock, connection, told, socket } = await openConnection({
    onTold: (what) => {
      if (typeof what === 'object' && 'closed' in what) connection.end(1000, 'logout');
    },
  });
  socket.close();
  await told.next();
  expect(clock.nextDue()).toBeUndefined();
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

test('contract §5: ended while paused, the platform sees the close and no frame is told', async () => {
  const { platform, connection, told, socket } = await openConnection();
  connection.pause();
  socket.sendText('one');
  await platform.roundTrip();
  connection.end(1000, 'logout');
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
  await platform.roundTrip();
  expect(told.all).toEqual(['opened']);
});

test('ended, neither sent nor connected again', async () => {
  const { platform, connection, told, socket } = await openConnection();
  socket.close(1000, 'maintenance');
  await told.next();
  connection.end(1000, 'logout');
  connection.reconnect();
  expect(connection.send('late')).toBe('closed');
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});
