import { once, EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex, PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { createHelperClient } from './helperClient.ts';
import { type Helper, type SignInOutcome, MAX_CALLS } from './helperProtocol.ts';
import { serveHelper } from './serveHelper.ts';
import { PASSWORD, WRONG, fakeAuthenticator, fakeClock, fakeHelper } from '../testing/testApp.ts';

const ADA = { username: 'ada', password: PASSWORD };

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'hostauth-link-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A helper that listens on a socket; `end` cuts its connections as a killed process does. */
async function helperAt(path: string, helper: Helper) {
  const sockets = new Set<Socket>();
  const closed: string[] = [];
  const closing = new EventEmitter();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    serveHelper(socket, helper, (detail) => {
      closed.push(detail);
      closing.emit('closed');
    });
  });
  server.listen(path);
  await once(server, 'listening');
  const end = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  const untilClosed = async () => {
    while (closed.length === 0) await once(closing, 'closed');
  };
  return { closed, untilClosed, end };
}

/** A client that connects to it, and the reasons of its lost links. */
function clientOf(path: string, clock = systemClock) {
  const lost: string[] = [];
  const client = createHelperClient({
    connect: async () => {
      const socket = connect(path);
      await once(socket, 'connect');
      return socket;
    },
    clock,
    onLost: (detail) => lost.push(detail),
  });
  onTestFinished(() => client.close());
  return { client, lost };
}

async function scene() {
  const path = join(folder, 'helper.sock');
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const server = await helperAt(path, helper);
  onTestFinished(() => server.end().catch(() => undefined));
  return { path, authenticator, helper, server, ...clientOf(path) };
}

describe('the link to the helper', () => {
  test('passes on every call and its result, in the order in which the calls end', async () => {
    const { client, helper, authenticator } = await scene();
    helper.administrators.add('ada');
    helper.ended.set('eve', 'locked');
    const refused = { kind: 'refused', reason: 'credentials' };
    expect(await client.authenticate({ ...ADA, password: WRONG })).toEqual(refused);
    authenticator.hold();
    const slow = client.authenticate(ADA);
    await authenticator.waitForSignIns(2);
    expect(await client.checkAccount('ada')).toEqual({ state: 'same' });
    authenticator.release();
    expect(await slow).toEqual({ kind: 'accepted', account: 'ada' });
    expect(await client.checkAccount('eve')).toEqual({ state: 'ended', reason: 'locked' });
    expect(await client.isAdministrator('ada')).toEqual({ state: 'administrator' });
    expect(await client.isAdministrator('bob')).toEqual({ state: 'other' });
    expect(await client.createUser({ ...ADA, account: null })).toEqual({ kind: 'refused', reason: 'off' });
    expect(await client.cancelWaiting()).toBeUndefined();
  });

  test('a call is unavailable when the helper ends during it; the next helper gets the next call', async () => {
    const { path, client, authenticator, helper, server, lost } = await scene();
    authenticator.hold();
    const cut = client.authenticate(ADA);
    await authenticator.waitForSignIns(1);
    await server.end();
    expect(await cut).toMatchObject({ kind: 'unavailable', reason: 'helper' });
    expect(lost).toHaveLength(1);
    const waiting = client.checkAccount('ada');
    const next = await helperAt(path, helper);
    onTestFinished(() => next.end());
    expect(await waiting).toEqual({ state: 'same' });
  });

  test('a connection that opens after the link was closed is closed', async () => {
    const opened = new EventEmitter();
    const client = createHelperClient({
      connect: async () => (await once(opened, 'stream'))[0],
      clock: fakeClock(),
      onLost: () => undefined,
    });
    await client.close();
    const stream = new PassThrough();
    opened.emit('stream', stream);
    await nextTurn();
    expect(stream.destroyed).toBe(true);
  });

  test('a call waits 5 s for a helper and is then unavailable', async () => {
    const clock = fakeClock();
    const { client } = clientOf(join(folder, 'missing.sock'), clock);
    const calls = [
      client.authenticate(ADA),
      client.checkAccount('ada'),
      client.isAdministrator('ada'),
      client.createUser({ ...ADA, account: 'ada' }),
    ];
    clock.advance(5000);
    const detail = 'the helper cannot be reached';
    expect(await Promise.all(calls)).toEqual([
      { kind: 'unavailable', reason: 'helper', detail },
      { state: 'unknown', detail },
      { state: 'unknown', detail },
      { kind: 'unavailable', detail },
    ]);
  });

  test('a check fails after 10 s without an answer, a sign-in after 30 s, a creation after 45 s', async () => {
    const path = join(folder, 'silent.sock');
    const server = createServer((socket) => onTestFinished(() => void socket.destroy())).listen(path);
    onTestFinished(() => void server.close());
    const clock = fakeClock();
    const { client } = clientOf(path, clock);
    const ends: string[] = [];
    const calls = [
      client.checkAccount('ada').then(() => ends.push('checkAccount')),
      client.isAdministrator('ada').then(() => ends.push('isAdministrator')),
      client.authenticate(ADA).then(() => ends.push('authenticate')),
      client.createUser({ ...ADA, account: 'ada' }).then(() => ends.push('createUser')),
    ];
    // From now on the calls wait for their answers.
    for (const ms of [10_000, 30_000, 45_000]) await clock.untilWait(ms);
    expect(clock.waits).toEqual([10_000, 10_000, 30_000, 45_000]);
    clock.advance(45_000);
    await Promise.all(calls);
    expect(ends).toEqual(['checkAccount', 'isAdministrator', 'authenticate', 'createUser']);
  });

  test('an invalid result closes the link', async () => {
    const { path, helper } = await scene();
    // A helper of another version could answer this.
    const odd: SignInOutcome = JSON.parse('{"kind":"accepted"}');
    await helperAt(`${path}2`, { ...helper, authenticate: async () => odd });
    const { client, lost } = clientOf(`${path}2`);
    expect(await client.authenticate(ADA)).toMatchObject({ kind: 'unavailable', reason: 'helper' });
    expect(lost).toEqual([expect.stringContaining('a line is not valid')]);
  });
});

test.each([
  ['that is not JSON', 'authenticate\n'],
  ['of no call', '{"id":1,"call":"shell","command":"id"}\n'],
  ['with a field too many', '{"id":1,"call":"checkAccount","account":"ada","x":1}\n'],
  ['without an end, longer than 16 KiB', 'a'.repeat(16_385)],
])('a line %s closes the helper’s end of the connection', async (_, line) => {
  const { path, helper, server } = await scene();
  const socket = connect(path).on('error', () => undefined);
  socket.write(line);
  // Not `once`: a reset rejects it.
  await new Promise((resolve) => socket.resume().once('close', resolve));
  await server.untilClosed();
  expect(server.closed).toHaveLength(1);
  for (const text of ['authenticate', 'command', 'aaaa']) expect(server.closed.join()).not.toContain(text);
  expect([helper.checked, helper.administrators.size]).toEqual([[], 0]);
});

test('a line of 16 KiB is answered, also when it arrives in pieces', async () => {
  const { path } = await scene();
  const socket = connect(path);
  const start = '{"id":7,"call":"checkAccount","account":"';
  const line = `${start}${'a'.repeat(16_384 - start.length - 2)}"}`;
  for (const piece of [line.slice(0, 9), line.slice(9, 9000), `${line.slice(9000)}\n`])
    await new Promise((resolve) => socket.write(piece, resolve));
  const [answer] = await once(socket, 'data');
  expect(JSON.parse(String(answer))).toEqual({ id: 7, result: { state: 'same' } });
  socket.destroy();
});

test('reads no more calls while the most calls are in progress', async () => {
  const authenticator = fakeAuthenticator();
  const server = createServer().listen(join(folder, 'serve.sock'));
  const peer = connect(join(folder, 'serve.sock'));
  const [end]: Socket[] = await once(server, 'connection');
  if (end === undefined) throw new Error('there is no connection');
  serveHelper(end, fakeHelper(authenticator), () => undefined);
  onTestFinished(() => {
    peer.destroy();
    server.close();
  });
  authenticator.hold();
  const call = `{"id":1,"call":"authenticate","username":"ada","password":"${PASSWORD}"}\n`;
  peer.write(call.repeat(4 * MAX_CALLS));
  await once(end, 'pause');
  // At most one more chunk of the socket, of 64 KiB, had arrived.
  expect(authenticator.asked.length).toBeLessThanOrEqual(MAX_CALLS + 65_536 / call.length);
  authenticator.release();
  let lines = 0;
  for await (const _ of createInterface(peer)) if (++lines === 4 * MAX_CALLS) break;
});

/** The helper's end of a connection: the test pushes what arrives. */
function servedStream(helper: Helper) {
  const closed: string[] = [];
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  serveHelper(stream, helper, (detail) => closed.push(detail));
  onTestFinished(() => void stream.destroy());
  const arrived = (text: string) => {
    stream.push(text);
    return nextTurn();
  };
  return { closed, arrived };
}

test('a line over 16 KiB that arrives in pieces closes the connection', async () => {
  const helper = fakeHelper(fakeAuthenticator());
  const { closed, arrived } = servedStream(helper);
  await arrived(`{"id":1,"call":"checkAccount","account":"${'a'.repeat(16_000)}`);
  await arrived(`${'a'.repeat(400)}"}\n`);
  expect([closed, helper.checked]).toEqual([['a line is too long'], []]);
});

test('reads calls again when the most calls were in progress and have ended', async () => {
  const authenticator = fakeAuthenticator();
  const { arrived } = servedStream(fakeHelper(authenticator));
  authenticator.hold();
  const call = `{"id":1,"call":"authenticate","username":"ada","password":"${PASSWORD}"}\n`;
  await arrived(call.repeat(MAX_CALLS));
  await arrived(call);
  expect(authenticator.asked).toHaveLength(MAX_CALLS);
  authenticator.release();
  await nextTurn();
  expect(authenticator.asked).toHaveLength(MAX_CALLS + 1);
});
