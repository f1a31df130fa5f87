import { expect, test, onTestFinished } from 'vitest';
import { platformForTest } from '#tests/builders/messengerAt.ts';
import { watchSilence } from './platformSocket.ts';
import { virtualClock } from '#shared/clock.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from '#main/session/platformConnection.ts';
import type { Close } from '#shared/actions/sessionActions.ts';
import type { ScriptedPlatform } from '#tests/builders/startPlatform.ts';
import { platformInbox } from '#tests/builders/platformInbox.ts';

type ConnectionEvent = string | { readonly closed: Close } | { readonly frame: string | null };

function connectTo({ platformUrl }: Pick<ScriptedPlatform, 'platformUrl'>) {
  const clock = virtualClock();
  const events = platformInbox<ConnectionEvent>();
  const emit = (what: ConnectionEvent) => events.push(what);
  const connection = connect({
    url: `${platformUrl}/account-1`,
    clock,
    events: {
      opened: () => emit('opened'),
      confirmed: () => emit('confirmed'),
      closed: ({ code, reason }) => emit({ closed: { code, reason } }),
      frame: (text) => emit({ frame: text }),
      tooLarge: () => emit('tooLarge'),
    },
  });
  onTestFinished(() => connection.end(1000, ''));
  return { clock, connection, events };
}

/** Opens a connection to a platform that answers no pings unless `answersPings` is set; returns also the platform's end of it. */
async function openConnection({ answersPings = false, opensAfter = 0 } = {}) {
  const platform = await platformForTest();
  platform.answerPings(answersPings);
  const connected = connectTo(platform);
  connected.clock.advance(opensAfter);
  const socket = await platform.sockets.next();
  expect(await connected.events.next()).toBe('opened');
  return { ...connected, platform, socket };
}

/** A close without a close frame: a lost or refused connection. */
const LOST: ConnectionEvent = { closed: { code: 1006, reason: '' } };

test('spec §3.2 row 1, §3.2 row 3, §8 ping interval, contract §5 first ping: sends the first ping exactly 1000 ms after the socket opens, then one every 1000 ms, and confirms at the first pong', async () => {
  const { platform, clock, socket, events } = await openConnection({ answersPings: true });
  clock.advance(999);
  await platform.roundTrip();
  expect([socket.pings.all, events.all]).toEqual([[], ['opened']]);
  clock.advance(1);
  await socket.pings.next();
  expect(await events.next()).toBe('confirmed');
  clock.advance(999);
  await platform.roundTrip();
  expect(socket.pings.all).toHaveLength(1);
  clock.advance(1);
  await socket.pings.next();
});

test('spec §3.2 row 2, §7 row 12, §8 reconnect delay: connects again 500 ms after a close with an empty reason, and after another one when it is requested', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.reconnect();
  socket.close(1001, '');
  expect(await events.next()).toEqual({ closed: { code: 1001, reason: '' } });
  clock.advance(499);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
  clock.advance(1);
  const again = await platform.sockets.next();
  expect([again.path, await events.next()]).toEqual(['/account-1', 'opened']);
  again.close(1000, 'maintenance');
  expect(await events.next()).toEqual({ closed: { code: 1000, reason: 'maintenance' } });
  clock.advance(60_000);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(2);
  connection.reconnect();
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

test('contract §5 ended: ignores late frames and the close after `end()`, whatever the peer echoes', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({ answersPings: true });
  socket.sendText('late');
  void socket.ping();
  socket.close(1008, 'unauthorized');
  connection.end(1000, 'logout');
  connection.onResume();
  expect(clock.nextDue()).toBeUndefined();
  await socket.closed;
  await platform.roundTrip();
  expect([events.all, platform.upgrades.all.length, clock.nextDue()]).toEqual([['opened'], 1, undefined]);
});

test('contract §5 ended: reads again only when the queue and the capture can both take more, also from the next socket, and opens none after `end()`', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  connection.pause('queue');
  connection.pause('capture');
  socket.sendText('one');
  connection.resume('queue');
  await platform.roundTrip();
  expect(events.all).toEqual(['opened']);
  connection.resume('capture');
  expect(await events.next()).toEqual({ frame: 'one' });
  socket.close(1001, '');
  await events.next();
  connection.pause('capture');
  clock.advance(500);
  const next = await platform.sockets.next();
  next.sendText('two');
  expect(await events.next()).toBe('opened');
  await platform.roundTrip();
  expect(events.all.at(-1)).toBe('opened');
  connection.resume('capture');
  expect(await events.next()).toEqual({ frame: 'two' });
  next.close(1001, '');
  await events.next();
  connection.end(1000, 'logout');
  expect(clock.nextDue()).toBeUndefined();
});

test('contract §5 silence: waits 10 s more each time that a frame, a ping or a part of a long frame arrives after 9,999 ms, and after a pause, then terminates the connection, with an empty reason, and reconnects', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({ opensAfter: 8999 });
  const sendFrame = () => socket.send({ name: 'Ada' });
  for (const send of [sendFrame, () => void socket.ping(), () => socket.sendPart('{"na', false)]) {
    clock.advance(9999);
    send();
    await platform.roundTrip();
  }
  connection.pause('queue');
  clock.advance(60_000);
  connection.resume('queue');
  clock.advance(9999);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened', { frame: '{"name":"Ada"}' }]);
  clock.advance(1);
  expect(await socket.closed).toMatchObject({ code: 1006 });
  clock.advance(500);
  await platform.sockets.next();
  await platform.roundTrip();
  expect(events.all.slice(2)).toEqual([LOST, 'opened']);
});

test('terminates a dead connection 1000 ms after a resume, also when a pong from before it arrives, and replaces it within 2 s', async () => {
  const { platform, clock, connection, events, socket } = await openConnection();
  clock.advance(700);
  connection.onResume();
  await socket.pings.next();
  // As one that answers a ping from before the sleep.
  socket.pong();
  expect(await events.next()).toBe('confirmed');
  clock.advance(999);
  await platform.roundTrip();
  expect(events.all).toEqual(['opened', 'confirmed']);
  clock.advance(1);
  expect(await events.next()).toEqual(LOST);
  clock.advance(500);
  await platform.sockets.next();
  expect(await events.next()).toBe('opened');
  expect(clock.now()).toBe(700 + 1500);
});

test('pings at once after a resume and keeps the connection when the platform answers, or while its reading is paused, when no pong can be read', async () => {
  const { platform, clock, connection, events, socket } = await openConnection({ answersPings: true });
  connection.onResume();
  await socket.pings.next();
  expect(await events.next()).toBe('confirmed');
  clock.advance(1500);
  await platform.roundTrip();
  connection.onResume();
  connection.pause('queue');
  connection.onResume();
  clock.advance(1500);
  await platform.roundTrip();
  connection.resume('queue');
  await platform.roundTrip();
  expect([new Set(events.all), platform.upgrades.all.length]).toEqual([new Set(['opened', 'confirmed']), 1]);
});

/** Watches the silence of a peer; `reports` returns how many milliseconds later it is reported, each time. */
function watchedPeer() {
  const clock = virtualClock();
  const reported: number[] = [];
  const watch = watchSilence(clock, () => reported.push(clock.now()));
  const reports = () => {
    const now = clock.now();
    clock.advance(30_000);
    return reported.map((at) => at - now);
  };
  /** Lets time pass in which no timer fires. */
  const stall = (ms: number) => {
    clock.stall(ms);
    clock.advance(0);
  };
  return { clock, watch, stall, reports };
}

test('reports a silent peer once: 10 s after a stall in which its pongs waited to be read, or a pause in which nothing was read, and 1 s after a stall in which it sent nothing', () => {
  const slow = watchedPeer();
  slow.clock.advance(900);
  slow.watch.onData();
  slow.stall(60_000);
  slow.watch.onData();
  expect(slow.reports()).toEqual([10_000]);
  const silent = watchedPeer();
  silent.stall(60_000);
  expect(silent.reports()).toEqual([1000]);
  for (const ms of [5000, 9500]) {
    const paused = watchedPeer();
    paused.clock.advance(ms);
    paused.watch.suspend();
    paused.clock.advance(60_000);
    paused.watch.resume();
    expect(paused.reports()).toEqual([10_000]);
  }
});

test('spec §5 item 1: connects with the account in the path and without a header, cookie or token of its own', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'upgrade');
  connectTo({ platformUrl: `ws://127.0.0.1:${Object(server.address()).port}` });
  const [request, line] = await asked;
  line.destroy();
  expect(request.url).toBe('/account-1');
  const own = ['extensions', 'key', 'version'].map((name) => `sec-websocket-${name}`);
  expect(Object.keys(request.headers).sort()).toEqual(['connection', 'host', ...own, 'upgrade']);
  server.close();
  await once(server, 'close');
});
