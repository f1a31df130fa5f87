import { readdir, stat } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { FRAME_BYTES } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { recv } from '#tests/builders/recv.ts';
import { connectClient } from '#tests/builders/connectClient.ts';
import { version } from '../../../package.json';
import { STARTED_AT, temporaryFolder, wholeCapture } from '../testing/files.ts';
import { startRecorder } from './startRecorder.ts';

const ACCOUNT = 'account-of-ada';
const NAME = STARTED_AT.replaceAll(':', '-');

/** A recorder before a platform whose every answer the test decides. */
async function recorder({ joins = false } = {}) {
  const path = await temporaryFolder();
  const platform = await startPlatform();
  const clock = virtualClock();
  const lines = platformInbox<string>();
  const { apiUrl } = platform;
  const platformUrl = `${platform.platformUrl}/ws`;
  const surroundings = { clock, today: () => Date.parse(STARTED_AT), print: lines.push };
  const running = await startRecorder({
    apiUrl,
    platformUrl,
    port: 0,
    folder: path(''),
    joins,
    ...surroundings,
  });
  onTestFinished(async () => {
    await running.stop();
    await platform.stop();
  });
  const connect = async () => {
    const client = await connectClient(`${running.platformUrl}/${ACCOUNT}`);
    return { client, socket: await platform.sockets.next() };
  };
  /** The first connection's capture, when the recorder has stopped. */
  const recorded = async () => {
    await running.stop();
    return wholeCapture(path(`${NAME}-1.parley.jsonl`));
  };
  return { platform, clock, lines, running, path, connect, recorded };
}

it('contract §7 record: passes on and records text and binary frames unchanged in both directions, at their times', async () => {
  const { clock, connect, recorded } = await recorder();
  const { client, socket } = await connect();
  expect(socket.path).toBe(`/ws/${ACCOUNT}`);
  socket.send({ person: 'Ada' });
  expect(await client.frames.next()).toBe('{"person":"Ada"}');
  clock.advance(12.3456);
  client.socket.send('{"category":"text", "text":"hi"}');
  expect(await socket.frames.next()).toBe('{"category":"text", "text":"hi"}');
  clock.advance(100);
  socket.sendBinary(Buffer.from([0, 1, 2]));
  expect(await client.frames.next()).toEqual(Buffer.from([0, 1, 2]));
  client.socket.close(1000, 'logout');
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
  const { header, records, warnings } = await recorded();
  const app = `parley-replay ${version}`;
  expect(header).toEqual({ format: 'parley-capture', version: 2, startedAt: STARTED_AT, app });
  expect(records).toEqual([
    { t: 0, type: 'open' },
    { t: 0, type: 'recv', data: '{"person":"Ada"}' },
    { t: 12.346, type: 'send', data: '{"category":"text", "text":"hi"}' },
    { t: 112.346, type: 'recv', data: 'AAEC', encoding: 'base64' },
    { t: 112.346, type: 'close', code: 1000, reason: 'logout' },
  ]);
  expect(warnings).toEqual([]);
});

it('accepts a frame of the platform up to the app’s limit, and none that is larger', async () => {
  const { connect, platform } = await recorder();
  const [allowed, refused] = [await connect(), await connect()];
  allowed.socket.sendHeader(FRAME_BYTES);
  refused.socket.sendHeader(FRAME_BYTES + 1);
  await refused.client.closed;
  await platform.roundTrip();
  expect(allowed.client.socket.readyState).toBe(allowed.client.socket.OPEN);
});

it('records the first pong of the platform like the app, and passes pings to the platform', async () => {
  const { connect, recorded } = await recorder();
  const { client, socket } = await connect();
  await client.roundTrip();
  await client.roundTrip();
  expect(socket.pings.all).toHaveLength(2);
  await socket.ping();
  client.socket.terminate();
  await socket.closed;
  expect((await recorded()).records).toEqual([
    { t: 0, type: 'open' },
    { t: 0, type: 'action', action: { type: 'connection/confirmed' } },
    { t: 0, type: 'close', code: 1006, reason: '' },
  ]);
});

it.each([
  { code: 1008, reason: 'unauthorized' },
  // A close without a code.
  { code: 1005, reason: '' },
])('passes on and records a close of the platform with $code', async (seen) => {
  const { connect, recorded } = await recorder();
  const { client, socket } = await connect();
  if (seen.reason === '') socket.close();
  else socket.close(seen.code, seen.reason);
  expect(await client.closed).toEqual(seen);
  expect((await recorded()).records.at(-1)).toEqual({ t: 0, type: 'close', ...seen });
});

it('closes both sides with 1001 when it stops, and completes the capture', async () => {
  const { connect, recorded } = await recorder();
  const { client, socket } = await connect();
  socket.send({ name: 'Ada' });
  await client.frames.next();
  const { records } = await recorded();
  for (const closed of [client.closed, socket.closed])
    expect(await closed).toEqual({ code: 1001, reason: '' });
  expect(records.map(({ type }) => type)).toEqual(['open', 'recv', 'close']);
});

const post = (apiUrl: string, init: RequestInit = {}) =>
  fetch(`${apiUrl}/auth`, {
    method: 'POST',
    body: '{"email": "a@b.c"}',
    headers: { 'content-type': 'application/json' },
    ...init,
  });

it('passes on a sign-in with its response, and the status of a refused upgrade, without a capture', async () => {
  const { platform, running, path, connect } = await recorder();
  platform.auth.answer({ status: 401, body: 'No such person.', headers: { 'content-type': 'text/x' } });
  const answer = await post(running.apiUrl);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/x']);
  expect(await answer.text()).toBe('No such person.');
  const headers = { 'content-type': 'application/json' };
  expect(platform.auth.requests.all).toMatchObject([{ path: '/auth', body: '{"email": "a@b.c"}', headers }]);
  platform.answerUpgrades(401);
  await expect(connect()).rejects.toThrow('401');
  expect(await readdir(path(''))).toEqual([]);
});

it('refuses requests from the page of another site', async () => {
  const { platform, running } = await recorder();
  const headers = { origin: 'https://evil.example' };
  expect((await post(running.apiUrl, { headers })).status).toBe(403);
  await expect(connectClient(`${running.platformUrl}/a`, headers)).rejects.toThrow('403');
  expect([platform.auth.requests.all, platform.upgrades.all]).toEqual([[], []]);
});

it('writes a capture for each connection, readable by its owner only, without an account', async () => {
  const { connect, running, platform, path, lines } = await recorder();
  platform.auth.answer({ body: ACCOUNT });
  expect(await (await post(running.apiUrl)).text()).toBe(ACCOUNT);
  await Promise.all([connect(), connect()]);
  await running.stop();
  const names = await readdir(path(''));
  expect(names.sort()).toEqual([`${NAME}-1.parley.jsonl`, `${NAME}-2.parley.jsonl`]);
  for (const name of names) {
    expect((await stat(path(name))).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(await wholeCapture(path(name)))).not.toContain('account');
  }
  expect(lines.all.join()).not.toContain('account');
});

/** The records of a connection that lasted 500 ms. */
const part = (t: number, name: string, closed = { code: 1006, reason: '' }) => [
  { t, type: 'open' },
  recv(t, { name }),
  { t: t + 500, type: 'close', ...closed },
];

it('records the connections of one client as one session with reconnects when they are joined', async () => {
  const { connect, clock, running, path, lines } = await recorder({ joins: true });
  const say = async (name: string, reason?: string) => {
    const { client, socket } = await connect();
    socket.send({ name });
    await client.frames.next();
    clock.advance(500);
    if (reason === undefined) socket.terminate();
    else client.socket.close(1000, reason);
    await Promise.all([client.closed, socket.closed]);
    clock.advance(500);
  };
  await say('a');
  await say('b');
  await say('c', 'logout');
  const first = await connect();
  await connect();
  first.socket.terminate();
  await first.client.closed;
  await connect();
  await running.stop();
  const [one, two] = [1, 4].map((n) => path(`${NAME}-${n}.parley.jsonl`));
  expect(lines.all).toEqual([
    `connection 1 is recorded in ${one}`,
    `connection 2 continues ${one}`,
    `connection 3 continues ${one}`,
    `connection 4 is recorded in ${two}`,
    `connection 5 is recorded in ${path(`${NAME}-5.parley.jsonl`)}`,
    'connection 5 overlaps connection 4 of the same client, so it has a capture of its own',
    `connection 6 continues ${two}`,
  ]);
  const { records } = await wholeCapture(one ?? '');
  const last = part(2000, 'c', { code: 1000, reason: 'logout' });
  expect(records).toEqual([...part(0, 'a'), ...part(1000, 'b'), ...last]);
});
