import { once, EventEmitter } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { createHelperClient } from './helperClient.ts';
import { type Helper, type SignInOutcome, MAX_CALLS } from './helperProtocol.ts';
import { serveHelper } from './serveHelper.ts';
import { temporaryFolder } from '../testing/temporaryFolder.ts';
import { PASSWORD, WRONG, fakeAuthenticator, fakeClock, fakeHelper } from '../testing/testApp.ts';

const ADA = { username: 'ada', password: PASSWORD };

/** A helper that listens on a socket; the returned function cuts its connections as the end of its process does. */
async function helperAt(path: string, helper: Helper) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serveHelper(socket, helper, () => undefined);
  });
  server.listen(path);
  await once(server, 'listening');
  const end = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  onTestFinished(() => end().catch(() => undefined));
  return end;
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
  const path = join(temporaryFolder(), 'helper.sock');
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const end = await helperAt(path, helper);
  return { path, authenticator, helper, end, ...clientOf(path) };
}

test('the link passes on every call and its result, in the order in which the calls end', async () => {
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
  const { path, client, authenticator, helper, end, lost } = await scene();
  authenticator.hold();
  const cut = client.authenticate(ADA);
  await authenticator.waitForSignIns(1);
  await end();
  expect(await cut).toMatchObject({ kind: 'unavailable', reason: 'helper' });
  expect(lost).toHaveLength(1);
  const waiting = client.checkAccount('ada');
  await helperAt(path, helper);
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
  const { client } = clientOf(join(temporaryFolder(), 'missing.sock'), clock);
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
  const path = join(temporaryFolder(), 'silent.sock');
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

/** The helper's end of a connection: the test pushes what arrives. */
function served() {
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const [closed, sent]: [string[], unknown[]] = [[], []];
  const stream = new Duplex({
    read: () => undefined,
    write(chunk, _encoding, done) {
      sent.push(JSON.parse(String(chunk)));
      done();
    },
  });
  serveHelper(stream, helper, (detail) => closed.push(detail));
  onTestFinished(() => void stream.destroy());
  const arrive = async (...pieces: readonly string[]) => {
    for (const piece of pieces) {
      stream.push(piece);
      await nextTurn();
    }
  };
  return { authenticator, helper, stream, closed, sent, arrive };
}

const NOT_VALID = expect.stringMatching(/^a line is not valid \(\w+\)$/);
const TOO_LONG = 'a line is too long';
const CHECK = '{"id":7,"call":"checkAccount","account":"';

test.each([
  ['that is not JSON', ['authenticate\n'], NOT_VALID],
  ['of no call', ['{"id":1,"call":"shell","command":"id"}\n'], NOT_VALID],
  ['with a field too many', [`${CHECK}ada","x":1}\n`], NOT_VALID],
  ['without an end, longer than 16 KiB,', ['a'.repeat(16_385)], TOO_LONG],
  ['over 16 KiB in pieces', [`${CHECK}${'a'.repeat(16_000)}`, `${'a'.repeat(400)}"}\n`], TOO_LONG],
])('a line %s closes the helper’s end of the connection', async (_, pieces, reason) => {
  const { helper, stream, closed, arrive } = served();
  await arrive(...pieces);
  // Not what the line contains.
  expect([stream.destroyed, closed]).toEqual([true, [reason]]);
  expect(helper.checked).toEqual([]);
});

test('a line of 16 KiB is answered, also when it arrives in pieces', async () => {
  const { sent, arrive } = served();
  const line = `${CHECK}${'a'.repeat(16_384 - CHECK.length - 2)}"}`;
  await arrive(line.slice(0, 9), line.slice(9, 9000), `${line.slice(9000)}\n`);
  expect(sent).toEqual([{ id: 7, result: { state: 'same' } }]);
});

test('reads no more calls while the most calls are in progress, and reads again when they have ended', async () => {
  const { authenticator, arrive } = served();
  authenticator.hold();
  const call = `{"id":1,"call":"authenticate","username":"ada","password":"${PASSWORD}"}\n`;
  await arrive(call.repeat(MAX_CALLS), call);
  expect(authenticator.asked).toHaveLength(MAX_CALLS);
  authenticator.release();
  await nextTurn();
  expect(authenticator.asked).toHaveLength(MAX_CALLS + 1);
});
