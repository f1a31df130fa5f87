import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { CaptureRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import { FRAME_BYTES } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { version } from '../../../package.json';
import { STARTED_AT, temporaryFolder, wholeCapture } from '../testing/files.ts';
import { readScript, startServe } from './startServe.ts';
import { startRecorder } from './startRecorder.ts';

const ACCOUNT = 'account-of-ada';
const NAME = STARTED_AT.replaceAll(':', '-');

/** Connects a client of a platform until the test ends. After `roundTrip`, everything that the peer sent before has arrived in `frames`. */
async function connectClient(url: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(url, { headers });
  onTestFinished(() => socket.terminate());
  const frames = platformInbox<string | Buffer>();
  socket.on('message', (data: Buffer, isBinary) => frames.push(isBinary ? data : data.toString()));
  // The close event, or `once` below, reports the same.
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  let trips = 0;
  const roundTrip = async () => {
    const trip = String(++trips);
    socket.ping(trip);
    // A pong of an earlier trip may arrive first.
    for (let answered = ''; answered !== trip;) answered = String((await once(socket, 'pong'))[0]);
  };
  await once(socket, 'open');
  return {
    frames,
    closed,
    socket,
    roundTrip,
    /** Sends a frame; resolves when the peer has answered a ping that followed it. */
    async send(frame: string | Buffer) {
      socket.send(frame);
      await roundTrip();
    },
  };
}

/** A recorder before a platform whose every answer the test decides. */
async function recorder({ joins = false } = {}) {
  const path = await temporaryFolder();
  const platform = await startPlatform();
  const clock = virtualClock();
  const lines = platformInbox<string>();
  const running = await startRecorder({
    apiUrl: platform.apiUrl,
    platformUrl: `${platform.platformUrl}/ws`,
    port: 0,
    folder: path(''),
    joins,
    clock,
    today: () => Date.parse(STARTED_AT),
    print: lines.push,
  });
  onTestFinished(async () => {
    await running.stop();
    await platform.stop();
  });
  const connect = async () => {
    const client = await connectClient(`${running.platformUrl}/${ACCOUNT}`);
    return { client, socket: await platform.sockets.next() };
  };
  return { platform, clock, lines, running, path, connect };
}

test('contract §7 record: passes on and records text and binary frames unchanged in both directions, at their times', async () => {
  const { clock, connect, running, path } = await recorder();
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
  await running.stop();
  const { header, records, warnings } = await wholeCapture(path(`${NAME}-1.parley.jsonl`));
  const app = `parley-replay ${version}`;
  expect(header).toEqual({ format: 'parley-capture', version: 2, startedAt: STARTED_AT, app });
  const texts = [recv(0, '{"person":"Ada"}'), send(12.346, '{"category":"text", "text":"hi"}')];
  const binary = { ...recv(112.346, 'AAEC'), encoding: 'base64' };
  expect(records).toEqual([open(0), ...texts, binary, close(112.346, 1000, 'logout')]);
  expect(warnings).toEqual([]);
});

test('accepts a frame of the platform up to the app’s limit, and none that is larger', async () => {
  const { connect, platform } = await recorder();
  const [allowed, refused] = [await connect(), await connect()];
  allowed.socket.sendHeader(FRAME_BYTES);
  refused.socket.sendHeader(FRAME_BYTES + 1);
  await refused.client.closed;
  await platform.roundTrip();
  expect(allowed.client.socket.readyState).toBe(allowed.client.socket.OPEN);
});

test('records the first pong of the platform like the app, passes pings to the platform, and passes on and records each close; closes both sides with 1001 when it stops; each capture is readable by its owner only, and has no account', async () => {
  const { connect, running, path, lines } = await recorder();
  const broken = await connect();
  await broken.client.roundTrip();
  await broken.client.roundTrip();
  expect(broken.socket.pings.all).toHaveLength(2);
  await broken.socket.ping();
  broken.client.socket.terminate();
  await broken.socket.closed;
  const [refused, silent, open] = [await connect(), await connect(), await connect()];
  refused.socket.close(1008, 'unauthorized');
  silent.socket.close();
  expect(await refused.client.closed).toEqual({ code: 1008, reason: 'unauthorized' });
  expect(await silent.client.closed).toEqual({ code: 1005, reason: '' });
  await running.stop();
  for (const closed of [open.client.closed, open.socket.closed])
    expect(await closed).toEqual({ code: 1001, reason: '' });
  const confirmed = { t: 0, type: 'action', action: { type: 'connection/confirmed' } };
  const closes = [close(0, 1006, ''), close(0, 1008, 'unauthorized'), close(0, 1005, ''), close(0, 1001, '')];
  for (const [i, closed] of closes.entries()) {
    const file = path(`${NAME}-${i + 1}.parley.jsonl`);
    const capture = await wholeCapture(file);
    expect(capture.records).toEqual([{ t: 0, type: 'open' }, ...(i === 0 ? [confirmed] : []), closed]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(capture)).not.toContain('account');
  }
  expect(await readdir(path(''))).toHaveLength(4);
  expect(lines.all.join()).not.toContain('account');
});

const SIGN_IN = { body: '{"email": "a@b.c"}', headers: { 'content-type': 'application/json' } };
const post = (apiUrl: string, init: RequestInit = {}) =>
  fetch(`${apiUrl}/auth`, { method: 'POST', ...SIGN_IN, ...init });

test('passes on a sign-in with its response, and the status of a refused upgrade, without a capture; refuses requests from the page of another site', async () => {
  const { platform, running, path, connect } = await recorder();
  platform.auth.answer({ status: 401, body: 'No such person.', headers: { 'content-type': 'text/x' } });
  const answer = await post(running.apiUrl);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/x']);
  expect(await answer.text()).toBe('No such person.');
  platform.auth.answer({ body: ACCOUNT });
  expect(await (await post(running.apiUrl)).text()).toBe(ACCOUNT);
  const request = { path: '/auth', ...SIGN_IN };
  expect(platform.auth.requests.all).toMatchObject([request, request]);
  platform.answerUpgrades(401);
  await expect(connect()).rejects.toThrow('401');
  expect(await readdir(path(''))).toEqual([]);
  const foreign = { origin: 'https://evil.example' };
  expect((await post(running.apiUrl, { headers: foreign })).status).toBe(403);
  await expect(connectClient(`${running.platformUrl}/a`, foreign)).rejects.toThrow('403');
  expect([platform.auth.requests.all.length, platform.upgrades.all.length]).toEqual([2, 1]);
});

/** The records of a connection that lasted 500 ms. */
const part = (t: number, name: string, closed = { code: 1006, reason: '' }) => [
  { t, type: 'open' },
  recv(t, JSON.stringify({ name })),
  { t: t + 500, type: 'close', ...closed },
];

test('records the connections of one client as one session with reconnects when they are joined', async () => {
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

const open = (t: number): KnownRecord => ({ t, type: 'open' });
const recv = (t: number, data: string): KnownRecord => ({ t, type: 'recv', data });
const send = (t: number, data: string): KnownRecord => ({ t, type: 'send', data });
const close = (t: number, code: number, reason: string): KnownRecord => ({ t, type: 'close', code, reason });
const outgoing = (text: string) => JSON.stringify({ category: 'text', text, blob: null });

async function* batches(records: readonly CaptureRecord[]) {
  yield records;
}

/** These records, served on a clock that stands still. */
async function served(records: readonly CaptureRecord[], speed = 1) {
  const clock = virtualClock();
  const lines = platformInbox<string>();
  const connections = await readScript(batches(records));
  const serve = await startServe({ connections, clock, speed, port: 0, print: lines.push });
  onTestFinished(() => serve.stop());
  const enter = () => connectClient(`${serve.platformUrl}/any-account`);
  return { clock, lines, serve, enter };
}

test('answers a sign-in by an account with which a client can connect, also from a page of another port; refuses the page of another site, also under another Host', async () => {
  const { serve } = await served([open(0), recv(0, 'hello')]);
  const signIn = (headers: Record<string, string>) =>
    fetch(`${serve.apiUrl}/auth`, { method: 'POST', body: '{"email":"a@b.c"}', headers });
  const answer = await signIn({ 'content-type': 'application/json' });
  expect(answer.status).toBe(200);
  const url = `${serve.platformUrl}/${await answer.text()}`;
  const client = await connectClient(url, { origin: 'http://127.0.0.1:5173' });
  expect(await client.frames.next()).toBe('hello');
  const foreign = { origin: 'https://evil.example' };
  expect((await signIn(foreign)).status).toBe(403);
  for (const refused of [foreign, { host: 'evil.example' }, { host: '127.0.0.1:1' }])
    await expect(connectClient(url, refused)).rejects.toThrow('403');
});

test('contract §7 serve: sends each frame at its time since the connection’s opening, waits where the client spoke first, closes as recorded, and continues with the next connection', async () => {
  const sent = outgoing('hi');
  const first = [open(500), recv(512.5, 'a'), recv(600, 'b'), send(1000, sent), recv(1200, 'c')];
  const closes = [close(1300, 1008, 'unauthorized'), close(1500, 1006, '')];
  const second = [open(5000), recv(5010, 'd'), close(5100, 1006, '')];
  const { clock, enter, serve, lines } = await served([...first, ...closes, ...second]);
  clock.advance(10_000);
  const client = await enter();
  /** Nothing is sent before this many further milliseconds have passed, and this frame then. */
  const frameAfter = async (ms: number, frame: string) => {
    const before = [...client.frames.all];
    clock.advance(ms - 0.5);
    await client.roundTrip();
    expect(client.frames.all).toEqual(before);
    clock.advance(0.5);
    expect(await client.frames.next()).toBe(frame);
  };
  await frameAfter(12.5, 'a');
  await frameAfter(87.5, 'b');
  clock.advance(60_000);
  await client.roundTrip();
  await client.send(sent);
  await frameAfter(200, 'c');
  expect(lines.all.join()).toContain(`waits for the client, which sent ${sent}`);
  clock.advance(99);
  await client.roundTrip();
  clock.advance(1);
  expect(await client.closed).toEqual({ code: 1008, reason: 'unauthorized' });
  const next = await enter();
  clock.advance(10);
  expect(await next.frames.next()).toBe('d');
  expect(serve.report().connections).toEqual({ recorded: 2, played: 1 });
  clock.advance(90);
  expect(await next.closed).toEqual({ code: 1006, reason: '' });
});

test('sends all frames at once and completely with --speed max', async () => {
  const frames = Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(100_000, 'x'));
  const { enter } = await served([open(0), ...frames.map((data, i) => recv(i * 1000, data))], Infinity);
  const client = await enter();
  for (const frame of frames) expect((await client.frames.next()) === frame).toBe(true);
});

test('reports different, additional and missing frames of the client as they occur, and in the report; the order of fields is no difference', async () => {
  const session = [open(0), ...['one', 'two'].map((text) => send(0, outgoing(text))), close(0, 1001, '')];
  const { enter, serve, lines } = await served(session);
  const client = await enter();
  await client.send('{"text":"one","blob":null,"category":"text"}');
  expect(serve.report().frames).toMatchObject({ same: 1, missing: 1, divergences: [] });
  client.socket.send('{"category":"audio","text":"two"}');
  client.socket.send(outgoing('three'));
  await client.closed;
  expect(lines.all).toContain(
    'frame 2 of the client differs: category: recorded "text", got "audio"; blob: recorded null, got nothing',
  );
  expect(lines.all).toContain('frame 3 of the client is additional');
  const counts = { recorded: 2, received: 3, same: 1, different: 1, extra: 1, missing: 0 };
  const category = { field: 'category', recorded: '"text"', got: '"audio"' };
  const blob = { field: 'blob', recorded: 'null', got: undefined };
  const different = { kind: 'different', frame: 2, fields: [category, blob] };
  const extra = { kind: 'extra', frame: 3 };
  expect(serve.report().frames).toEqual({ ...counts, divergences: [different, extra] });
});

test('plays the frames of the first connection only, without requests', async () => {
  const records: readonly CaptureRecord[] = [
    open(0),
    { t: 1, type: 'open', socket: 2 },
    { t: 1, type: 'http', id: 1, end: true },
    recv(2, 'hello'),
    { t: 3, type: 'recv', socket: 2, data: 'other' },
    { t: 4, type: 'end' },
  ];
  expect(await readScript(batches(records))).toEqual([{ openedAt: 0, steps: [recv(2, 'hello')] }]);
});
