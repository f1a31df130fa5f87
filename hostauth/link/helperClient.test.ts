import { Duplex, PassThrough, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHelperClient } from './helperClient.ts';
import { z } from 'zod';
import { type Helper, type SignInOutcome, MAX_CALLS } from './helperProtocol.ts';
import { helperAnswer, helperCall, helperResults } from './helperProtocol.ts';
import { serveHelper } from './serveHelper.ts';
import { PASSWORD, WRONG, fakeAuthenticator, fakeClock, fakeHelper } from '../testing/testApp.ts';

const ADA = { username: 'ada', password: PASSWORD };

/** A client whose connections `serve` gets, which throws when there is no helper; `cut` ends the connection as the end of a helper does. */
function clientOf(serve: (stream: Duplex) => void) {
  const machine = { serve };
  const lost: string[] = [];
  const clock = fakeClock();
  const [ends, streams]: [Duplex[], Duplex[]] = [[], []];
  const client = createHelperClient({
    async connect() {
      const [stream, end] = duplexPair();
      machine.serve(end);
      ends.push(end);
      streams.push(stream);
      return stream;
    },
    clock,
    onLost: (detail) => lost.push(detail),
  });
  onTestFinished(() => client.close());
  const [cut, reset] = [() => ends.at(-1)?.end(), () => streams.at(-1)?.destroy(new Error('reset'))];
  return { client, clock, lost, machine, ends, cut, reset };
}

const callAll = (client: Helper) =>
  Promise.all([
    client.authenticate(ADA),
    client.checkAccount('ada'),
    client.isAdministrator('ada'),
    client.accountGroups('ada'),
    client.createUser({ ...ADA, account: 'ada' }),
    client.cancelWaiting(),
  ]);

/** The results of `callAll` without an answer. */
function failures(detail: string) {
  const unknown = { state: 'unknown', detail };
  const creation = { kind: 'unavailable', detail };
  return [{ ...creation, reason: 'helper' }, unknown, unknown, unknown, creation, undefined];
}

const servedBy = (helper: Helper) => (stream: Duplex) => serveHelper(stream, helper, () => undefined);

const noHelper = () => {
  throw new Error('there is no helper');
};

function scene() {
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  return { authenticator, helper, ...clientOf(servedBy(helper)) };
}

test('the link passes on every call and its result, in the order in which the calls end, and the kind of an error, without its message, which may contain input', async () => {
  const { client, helper, authenticator } = scene();
  helper.administrators.add('ada');
  const groups = ['s'.repeat(8192)];
  helper.groups.set('ada', groups);
  const refused = { kind: 'refused', reason: 'credentials' };
  expect(await client.authenticate({ ...ADA, password: WRONG })).toEqual(refused);
  authenticator.hold();
  const slow = client.authenticate(ADA);
  await authenticator.waitForSignIns(2);
  expect(await client.checkAccount('ada')).toEqual({ state: 'same' });
  authenticator.release();
  expect(await slow).toEqual({ kind: 'accepted', account: 'ada' });
  expect(await client.isAdministrator('ada')).toEqual({ state: 'administrator' });
  expect(await client.accountGroups('ada')).toEqual({ state: 'same', username: 'ada', groups });
  const users = [null, 'chief'].map((account) => Object.assign({ account }, ADA));
  const created: object[] = [];
  helper.createUser = async (user) => (created.push(user), { kind: 'taken', by: 'home' });
  for (const user of users) expect(await client.createUser(user)).toEqual({ kind: 'taken', by: 'home' });
  expect(created).toEqual(users);
  expect(await client.cancelWaiting()).toBeUndefined();
  helper.checkAccount = () => Promise.reject(new TypeError(PASSWORD));
  expect(await client.checkAccount('ada')).toEqual({ state: 'unknown', detail: 'TypeError' });
});

test('the protocol has these calls, answers and results', async () => {
  const schemas = Object.entries({ helperCall, helperAnswer, ...helperResults });
  const texts = schemas.map(([name, schema]) => `${name}: ${JSON.stringify(z.toJSONSchema(schema))}\n`);
  // A line for each variant.
  const text = texts.join('').replaceAll(/(?=\{"type":"object")/g, '\n  ');
  await expect(text).toMatchFileSnapshot('testing/protocol.txt');
});

test('a connection that opens after the link was closed is closed', async () => {
  const opened: ((stream: Duplex) => void)[] = [];
  const connect = () => new Promise<Duplex>((resolve) => void opened.push(resolve));
  const client = createHelperClient({ connect, clock: fakeClock(), onLost: () => undefined });
  await client.close();
  const stream = new PassThrough();
  opened[0]?.(stream);
  await nextTurn();
  expect(stream.destroyed).toBe(true);
});

test('a call waits 5 s for a helper and is then unavailable; nothing waits for one only to be cancelled', async () => {
  const { client, clock } = clientOf(noHelper);
  await client.cancelWaiting();
  const results = callAll(client);
  clock.advance(4999);
  expect(clock.waits).toEqual([1, 1, 1, 1, 1]);
  clock.advance(1);
  expect(await results).toEqual(failures('the helper cannot be reached'));
});

/** A client whose helper has all calls and answers none. */
async function silent() {
  const silence = clientOf(() => undefined);
  void silence.client.checkAccount('eve');
  await silence.clock.untilWait(10_000);
  const results = callAll(silence.client);
  expect(silence.clock.waits).toEqual([10_000, 10_000, 10_000, 10_000, 10_000, 30_000, 45_000]);
  return { ...silence, results };
}

test('a check fails after 10 s without an answer, a sign-in after 30 s, a creation after 45 s; a late answer changes nothing', async () => {
  const { clock, ends, lost, results } = await silent();
  clock.advance(45_000);
  expect(await results).toEqual(failures('the helper did not answer'));
  ends[0]?.write('{"id":1,"result":null}\n');
  await nextTurn();
  expect(lost).toEqual([]);
});

test('the calls in progress fail when the link closes, with the reason; the next helper gets the next call, but none does after close()', async () => {
  for (const how of ['cut', 'reset'] as const) {
    const detail = how === 'cut' ? 'the connection closed' : 'reset';
    const { client, clock, lost, machine, results, ...link } = await silent();
    machine.serve = noHelper;
    link[how]();
    expect([await results, lost, clock.waits]).toEqual([failures(detail), [detail], [50]]);
    const waiting = client.checkAccount('ada');
    clock.advance(50);
    await clock.untilWait(50);
    machine.serve = servedBy(fakeHelper(fakeAuthenticator()));
    clock.advance(50);
    expect(await waiting).toEqual({ state: 'same' });
  }
  const { client, clock, lost, results } = await silent();
  await client.close();
  expect(await results).toEqual(failures('the connection closed'));
  expect([lost, clock.waits]).toEqual([[], []]);
  expect(await callAll(client)).toEqual(failures('the link to the helper is closed'));
});

test('an invalid result, or one over 16 KiB, closes the link', async () => {
  for (const account of [7, 'x'.repeat(16_384)]) {
    const detail = account === 7 ? 'a line is not valid (ZodError)' : TOO_LONG;
    // A helper of another version could answer this.
    const odd: SignInOutcome = JSON.parse(JSON.stringify({ kind: 'accepted', account }));
    const helper = { ...fakeHelper(fakeAuthenticator()), authenticate: async () => odd };
    const { client, lost } = clientOf(servedBy(helper));
    expect(await client.authenticate(ADA)).toEqual({ kind: 'unavailable', reason: 'helper', detail });
    expect(lost).toEqual([detail]);
  }
});

/** The helper's end of a connection: the test pushes what arrives. */
function served() {
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const [closed, sent]: [string[], unknown[]] = [[], []];
  const peer = { reads: true, read: () => {} };
  const stream = new Duplex({
    writableHighWaterMark: 1,
    read: () => undefined,
    write(chunk, _encoding, done) {
      sent.push(JSON.parse(String(chunk)));
      if (peer.reads) done();
      else peer.read = done;
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
  return { authenticator, helper, stream, closed, sent, peer, arrive };
}

const NOT_VALID = expect.stringMatching(/^a line is not valid \(\w+\)$/);
const TOO_LONG = 'a line is too long';
const CHECK = '{"id":7,"call":"checkAccount","account":"';

test.each([
  ['that is not JSON', [`authenticate\n${CHECK}ada"}\n`], NOT_VALID],
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

test('answers a line of 16 KiB, also when it arrives in pieces', async () => {
  const { sent, arrive } = served();
  const line = `${CHECK}${'a'.repeat(16_384 - CHECK.length - 2)}"}`;
  const pieces = [line.slice(0, 9), line.slice(9, 9000), `${line.slice(9000)}\n`];
  await arrive(...pieces, ...pieces);
  const same = { id: 7, result: { state: 'same' } };
  expect(sent).toEqual([same, same]);
});

test('reads no more calls while the peer does not read an answer, or the most calls are in progress, and reads again after that', async () => {
  const { authenticator, helper, peer, arrive } = served();
  peer.reads = false;
  await arrive(`${CHECK}ada"}\n`, `${CHECK}bob"}\n`);
  expect(helper.checked).toEqual(['ada']);
  peer.reads = true;
  peer.read();
  await nextTurn();
  expect(helper.checked).toEqual(['ada', 'bob']);
  authenticator.hold();
  const call = `{"id":1,"call":"authenticate","username":"ada","password":"${PASSWORD}"}\n`;
  await arrive(call.repeat(MAX_CALLS), call);
  expect(authenticator.asked).toHaveLength(MAX_CALLS);
  authenticator.release();
  await nextTurn();
  expect(authenticator.asked).toHaveLength(MAX_CALLS + 1);
});
