import { expect, test, afterEach, vi } from 'vitest';
import { createParleyEngine } from '#replay/parley/parley.ts';
import { recordingStarted, recordingStopped, windowOpened } from '#shared/actions/mainActions.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { mainRecorder, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { message, updateOf } from '#tests/builders/updateOf.ts';
import type { ConnectionEvents } from './platformConnection.ts';
import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/sessionMiddleware.ts';
import { throughJson } from '#tests/builders/runWithRestarts.ts';
import { mainReducers } from '../store/mainStore.ts';
import { estimateMemory } from './launchSession.ts';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { START_APPLIED_MS, START_CAPTURE_BYTES, START_SETTLED_MS } from '#shared/limits.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { captureFolder } from '../capture/captureFolder.ts';
import { createStartGuard } from './startGuard.ts';

/** Limits that a few updates or records reach. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  QUEUE_BYTES: 64_000,
  START_CAPTURE_BYTES: 1e5,
}));

test('a replay has every slice of main, except those that a capture does not contain', async () => {
  const { store } = await mainStore();
  const notRecorded = new Set(['account', 'sequence', 'conversationStart', 'timesOfDay', 'notices']);
  const slices = Object.keys(store.getState()).filter((name) => !notRecorded.has(name));
  expect(Object.keys(createParleyEngine().state()).sort()).toEqual(slices.sort());
});

const reducer = combineReducers(mainReducers);

/** Starts main's slices and queue at a time of their clock: at the beginning, or with a state. */
function startQueue(now: number, preloadedState?: ReturnType<typeof reducer>) {
  const clock = virtualClock();
  clock.advance(now);
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(sessionMiddleware(clock)),
    enhancers: (defaults) => defaults({ autoBatch: false }),
    ...(preloadedState && { preloadedState }),
  });
  return { clock, store };
}

test('main continues from any state: releases an update whose tick is past at once, and the next one at the next tick', () => {
  const before = startQueue(0);
  before.store.dispatch(sessionLaunched({ launchedAt: 0 }));
  for (const name of ['a', 'b', 'c'])
    before.store.dispatch(updateReceived({ update: updateOf({ name }), at: 0, bytes: 1 }));
  const { clock, store } = startQueue(1350, throughJson(before.store.getState()));
  const seen = [0, 49, 1, 100].map((ms) => {
    clock.advance(ms);
    return store.getState().conversation.person;
  });
  expect(seen).toEqual(['a', 'a', 'b', 'c']);
  expect(store.getState().queue).toMatchObject({ length: 0, lastTick: 1500 });
});

const list = (count: number, item: (index: number) => string) =>
  `{"text":"\\\\","x":[${Array.from({ length: count }, (_, i) => item(i)).join()}]}`;

/** Frames of each kind, and the bytes of heap of one that is decoded and waits, as measured on Node 20. */
test.each([
  ['a message', 304, '{"id":"m1","modifier":"ai","content":[{"category":"text","text":"Hello 1"}]}'],
  ['a file', 500_172, JSON.stringify({ category: 'image', blob: 'B'.repeat(500_000) })],
  ['a list of empty lists', 4_000_388, list(100_000, () => '[]')],
  ['a list of numbers', 3_200_468, list(200_000, (i) => (i % 2 === 0 ? '1.5' : 'null'))],
  ['unique keys', 5_099_528, list(30_000, (i) => `{"${(i + 100_000).toString(36)}":0}`)],
])('estimates the memory of %s from above, and by at most six times', (_, used, text) => {
  const estimate = estimateMemory(Buffer.from(text), text.length);
  // The measured heap also contains a few other objects.
  expect(estimate).toBeGreaterThan(used * 0.8);
  expect(estimate).toBeLessThan(used * 6);
});

afterEach(() => {
  vi.doUnmock('./platformConnection.ts');
  // Later files of the process must not get the modules with the mocks.
  vi.resetModules();
});

/** Launches a session with a recorder and a virtual clock, which has the test as its socket. */
async function launch(recording: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(recording);
  const { recorder: capture, clock, kept } = recorded;
  const main = await mainStore({ capture, clock, kept });
  const sockets: ConnectionEvents[] = [];
  const calls: string[] = [];
  const pause = (by: string) => void (by === 'queue' && calls.push('pause'));
  const resume = (by: string) => void (by === 'queue' && calls.push('resume'));
  vi.doMock('./platformConnection.ts', () => ({
    connect({ events }: { readonly events: ConnectionEvents }) {
      sockets.push(events);
      return { send: () => 'sent', pause, resume, reconnect() {}, onResume() {}, end() {} };
    },
  }));
  const { launchSession } = await import('./launchSession.ts');
  main.store.dispatch(windowOpened(1));
  // With more digits than the time of the launch in the capture, 1234.568.
  clock.advance(1234.5678);
  const options = { today: () => new Date(0), log: kept.log, onRecord() {}, onUnauthorized() {} };
  const session = launchSession({ ...main, ...options, url: '' });
  return {
    ...main,
    calls,
    session,
    receive: (text: string) => sockets[0]?.frame(text, Buffer.from(text)),
    async end() {
      session.end(1000, 'logout');
      await capture.settling();
      return readCaptureFile(recorded.files()[0] ?? '').records;
    },
  };
}

test('contract §6 release: a tick comes before what arrives at or after it, also when its timer fires later', async () => {
  const { clock, store, receive, end } = await launch();
  const applied = () => store.getState().counts.applied;
  const send = (id: string) => receive(JSON.stringify(message(id)));
  send('1');
  clock.stall(100);
  store.dispatch(recordingStarted());
  expect(applied()).toBe(1);
  send('2');
  send('3');
  clock.stall(140);
  send('4');
  expect([applied(), store.getState().queue.lastTick]).toEqual([2, 200]);
  // One tick releases one update, however many ticks were missed.
  clock.stall(500);
  store.dispatch(recordingStopped());
  store.dispatch(recordingStarted());
  expect([applied(), store.getState().queue.lastTick]).toEqual([3, 700]);
  const late = (await end()).filter(({ type }) => type === 'release');
  expect(late).toMatchObject([{ update: 3, due: 300, tick: 700 }]);
});

test.each([
  // How many need more than the limit, and how many need half of it or less.
  ['texts', JSON.stringify({ text: 'x'.repeat(8000) }), 8, 3],
  ['short frames of many objects', `{"text":"","unknown":[${'{},'.repeat(300)}{}]}`, 3, 1],
  ['one that is larger than the limit', `{"text":"","unknown":[${'{},'.repeat(900)}{}]}`, 1, 0],
])(
  'stops reading at the limit of memory until half is released, also when the session ends before that: %s',
  async (...[, text, most, half]) => {
    const { receive, calls, clock, session } = await launch({ writesFiles: false });
    for (let frames = 1; frames <= most; frames++) {
      expect(calls).toEqual([]);
      receive(text);
    }
    expect(calls).toEqual(['pause']);
    clock.advance(100 * (most - half) - 1);
    expect(calls).toEqual(['pause']);
    clock.advance(1);
    expect(calls).toEqual(['pause', 'resume']);
    while (calls.length < 3) receive(text);
    session.end(1000, 'logout');
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  },
);

const HELLO = { t: 1, type: 'recv', data: '{"person":"Ada"}' } as const;

function setUp() {
  const dataDir = mainFolder();
  const clock = virtualClock();
  const folder = captureFolder(join(dataDir, 'captures'));
  const { log, lines } = mainLog();
  const options = { dataDir, folder, clock, today: () => new Date(0), version: '0.0.0', log };
  const start = () => createStartGuard(options);
  /** A start during which the program ends. */
  const crash = () => {
    const guard = start();
    guard.launching();
    guard.record(HELLO);
  };
  return { dataDir, clock, start, crash, lines, received: join(dataDir, 'failed-start.parley.jsonl') };
}

test('has failed at the third start after two failed ones, and until one is settled; counts no failure of a session that was settled, reset, or followed by another one in the same start', () => {
  const { start, crash: crashFirst } = setUp();
  const failed = [1, 2, 3].map(() => {
    crashFirst();
    start().settled();
    return start().hasFailed();
  });
  expect(failed).toEqual([false, true, true]);
  for (const end of ['settled', 'reset'] as const) {
    const { start: startAgain, crash } = setUp();
    crash();
    const guard = startAgain();
    guard.launching();
    guard[end]();
    crash();
    expect(startAgain().hasFailed()).toBe(false);
  }
  const { start: startOther } = setUp();
  const other = startOther();
  other.launching();
  other.launching();
  expect(startOther().hasFailed()).toBe(false);
});

test('settles a start 30 s after its launch, or 3 s after its first applied update', () => {
  const { start, crash, clock, received, dataDir } = setUp();
  crash();
  const isRecorded = (ms: number) => {
    clock.advance(ms);
    return existsSync(received);
  };
  start().launching();
  expect([isRecorded(START_SETTLED_MS - 1), isRecorded(1)]).toEqual([true, false]);
  crash();
  const quick = start();
  quick.launching();
  quick.applied();
  expect(isRecorded(START_APPLIED_MS - 1)).toBe(true);
  quick.applied();
  expect([isRecorded(1), start().hasFailed()]).toEqual([false, false]);
  // Another launch in the same start has its own time.
  const twice = start();
  for (const ms of [START_SETTLED_MS - 1, 1]) {
    twice.launching();
    clock.advance(ms);
  }
  expect(readFileSync(join(dataDir, 'starting.json'), 'utf8')).toContain('1');
});

test('records nothing at a first start, each frame at once after a failed one, and up to its limit; saves what it received as a capture, once', async () => {
  const { start, crash, received, dataDir, lines } = setUp();
  crash();
  expect(existsSync(received)).toBe(false);
  crash();
  expect(statSync(received).mode & 0o777).toBe(0o600);
  const text = readFileSync(received, 'utf8');
  const [header, record] = text.split('\n').map((line) => line && JSON.parse(line));
  expect(header).toMatchObject({ startedAt: '1970-01-01T00:00:00.000Z', app: '0.0.0' });
  expect(record).toEqual(HELLO);
  const guard = start();
  expect(guard.canSave()).toBe(true);
  utimesSync(received, 0, 0);
  const saved = Object(await guard.save());
  expect(saved.path).toBe(join(dataDir, 'captures/1970-01-01T00-00-00.000Z.parley.jsonl'));
  expect([readFileSync(saved.path, 'utf8'), guard.canSave()]).toEqual([text, false]);
  const error = 'What was received could not be saved: its folder does not exist.';
  expect([await guard.save(), lines()]).toMatchObject([{ error }, [{ why: 'its folder does not exist' }]]);
  guard.launching();
  for (let t = 0; t < 6; t++) guard.record({ t, type: 'recv', data: 'x'.repeat(START_CAPTURE_BYTES / 4) });
  guard.record(HELLO);
  expect(statSync(received).size).toBeLessThan(START_CAPTURE_BYTES);
  expect(readFileSync(received, 'utf8')).not.toContain('Ada');
  guard.reset();
  for (const act of [crash, () => mkdirSync(received), crash, () => start().reset()]) act();
  const said = ['this start is not recorded', 'what a failed start received could not be deleted'];
  const why = 'the system reports ERR_FS_EISDIR';
  expect(lines().slice(-2)).toEqual(said.map((msg) => ({ level: 'warn', why, msg })));
});
