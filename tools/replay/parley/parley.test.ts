import { combineReducers, configureStore } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { captureTime, type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { parleyAdapter, endsSession } from '#shared/replay/adapter.ts';
import { snapshotFieldsReducer } from '#shared/store/conversationSlices.ts';
import { DEFAULT_MIDDLEWARE, queueMiddleware } from '#shared/store/sessionMiddleware.ts';
import { replayedReducers } from '#shared/store/rootReducer.ts';
import { sessionLaunched } from '#shared/actions/sessionActions.ts';
import { roundTime, virtualClock } from '#shared/clock.ts';
import { attentionReducer, windowsReducer } from '#shared/store/openWindows.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { type ParleyEngine, type ParleyStep, type Replay, createParleyEngine, wholeState } from './parley.ts';
import { frameBytes, isFrame } from '../engine/frames.ts';
import { END, type Limits } from '../engine/createEngine.ts';
import { hashReplay } from './hashReplay.ts';
import { naiveReplay } from '#tests/builders/naiveReplay.ts';

const anyLimits: fc.Arbitrary<Limits> = fc.oneof(
  fc.constant({}),
  fc.record({ until: fc.nat(20) }),
  fc.record({
    at: fc.oneof(
      fc.nat(3500),
      fc.nat(35).map((tick) => tick * 100),
    ),
  }),
  fc.record({ until: fc.nat(20), at: fc.nat(3500) }),
);

function replayed(engine: ParleyEngine, records: readonly CaptureRecord[]): Replay {
  records.every((record) => engine.take(record));
  return engine.finish();
}

/** Runs a replay and returns its result and steps as plain data. */
function whole(records: CaptureRecord[], limits: Limits) {
  const steps: Omit<ParleyStep, 'before' | 'after'>[] = [];
  const replay = replayed(
    createParleyEngine({
      ...limits,
      onStep: ({ before: _before, after: _after, ...step }) => steps.push(step),
    }),
    records,
  );
  return { ...replay, conversation: toSnapshot(replay.conversation), hash: hashReplay(replay), steps };
}

const anySession = anyRecords().map((records) => records.filter((record) => !endsSession(record)));

/** Returns the state of the app's store with its queue, on a clock that advances from record to record, as far as the engine has it. */
function storeAfter(records: readonly CaptureRecord[]): object {
  const clock = virtualClock();
  const store = configureStore({
    reducer: combineReducers({
      ...replayedReducers,
      attention: attentionReducer,
      snapshotFields: snapshotFieldsReducer,
      windows: windowsReducer,
    }),
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(queueMiddleware(clock)),
  });
  store.dispatch(sessionLaunched({ launchedAt: 0 }));
  const parley = parleyAdapter();
  for (const record of records) {
    clock.advance(record.t - clock.now());
    const bytes = isFrame(record, 'recv') ? frameBytes(record) : 0;
    for (const action of parley.take(record, store.getState(), bytes).actions) store.dispatch(action);
  }
  clock.advance(100_000);
  return wholeState(store.getState());
}

test('reaches the state of the app’s store with its queue, for any session', () => {
  checkProperty(
    fc.property(anySession, (records) => {
      const inTime = records.filter(({ type }) => type !== 'release');
      expect(wholeState(replayed(createParleyEngine(), inTime))).toEqual(storeAfter(inTime));
    }),
    500,
  );
});

const delayed = (records: readonly CaptureRecord[], by: number): CaptureRecord[] =>
  records.map((record) => ({ ...record, t: record.t + by }));

const endAt = (t: number): CaptureRecord => ({ t, type: 'action', action: { type: 'session/ended' } });

/** Generates the records of two sessions with what happens between them, also frames, which the app does not record there. */
const anyTwoSessions = fc
  .tuple(anySession, anySession, anySession)
  .map(([first, between, second]) =>
    first.concat(
      endAt(3000),
      delayed(between, 3000),
      { t: 6000, type: 'launch' },
      delayed(second, 6000),
      endAt(9000),
    ),
  );

test('continues beyond the ends of two sessions, and ends as before the first one', () => {
  checkProperty(
    fc.property(anyTwoSessions, (records) => {
      const engine = createParleyEngine({ passesEnd: true });
      for (const record of records) expect(engine.take(record)).toBe(true);
      expect(wholeState(engine.state())).toMatchObject({
        person: null,
        messages: [],
        connection: { status: 'disconnected', closedBecause: null },
        counts: { received: 0, applied: 0 },
        queue: { length: 0, lastTick: 0, waiting: [] },
        attention: { unread: 0 },
      });
    }),
    150,
  );
});

test('the result is the state before the end of the session, whatever follows it', () => {
  checkProperty(
    fc.property(anyTwoSessions, (records) => {
      const end = records.findIndex(endsSession);
      const before = records.slice(0, end + 1);
      expect(whole(records, {})).toEqual(whole(before, {}));
    }),
    50,
  );
});

test('gives the results of a simple replay, for any session and any limit', () => {
  checkProperty(
    fc.property(anyRecords(), anyLimits, (records, limits) => {
      const { conversation, counts, ...replay } = replayed(createParleyEngine(limits), records);
      const plain = naiveReplay(records, limits);
      expect(toSnapshot(conversation)).toEqual({ person: plain.person, messages: plain.messages });
      expect(counts).toEqual({ ...plain.frames, ...plain.updates, rejected: plain.rejected });
      expect(replay.notifications).toEqual(plain.notifications);
      expect(replay.connection).toEqual(plain.connection);
      expect(replay.virtualMs).toBe(plain.virtualMs);
      expect(replay.queue.length).toBe(plain.waiting.length);
    }),
    500,
  );
});

const anyLaunch = fc.integer({ min: 1, max: 20_000_000 }).map((microseconds) => microseconds / 1000);

test('contract §6 launch: counts ticks from the launch record', () => {
  checkProperty(
    fc.property(anyRecords(), anyLaunch, (records, launchedAt) => {
      const later = records.map((record) => ({ ...record, t: captureTime(roundTime(record.t), launchedAt) }));
      const early = records.map((record) => ({ ...record, t: roundTime(record.t) }));
      const { steps, queue, ...replay } = whole([{ t: launchedAt, type: 'launch' }, ...later], {});
      const expected = whole(early, {});
      expect(steps).toEqual(
        expected.steps.map((step) => ({
          ...step,
          receivedAt: captureTime(step.receivedAt, launchedAt),
          tick: captureTime(step.tick, launchedAt),
        })),
      );
      expect({ ...replay, queue }).toEqual({
        ...expected,
        steps: undefined,
        queue: { ...expected.queue, launchedAt },
      });
    }),
    200,
  );
});

const LATE: readonly CaptureRecord[] = [
  ...['a', 'b', 'c'].map((name, i) => recv(10 + i, { name })),
  { t: 450.5, type: 'release', update: 2, due: 200, tick: 400 },
  recv(450.5, { name: 'd' }),
];

test('contract §6 release: releases an update at its late tick, and the others at their own', () => {
  const ticks: number[] = [];
  const replay = replayed(createParleyEngine({ onStep: ({ tick }) => ticks.push(tick) }), LATE);
  expect([ticks, replay.virtualMs]).toEqual([[100, 400, 500, 600], 600]);
});

test('contract §6 release: an update waits until its late release', () => {
  const waiting = (at: number) => replayed(createParleyEngine({ at }), LATE).queue.length;
  expect([99, 100, 200, 450, 450.5, 500].map(waiting)).toEqual([3, 2, 2, 2, 2, 1]);
  const engine = createParleyEngine();
  for (const record of LATE.slice(0, 3)) engine.take(record);
  expect(engine.nextTick(LATE[3])).toBe(100);
  engine.pass(LATE[3], 1);
  expect(engine.nextTick(LATE[3])).toBe(450.5);
});

test('ignores a launch after a frame', () => {
  const replay = replayed(createParleyEngine(), [recv(5, { name: 'a' }), { t: 50, type: 'launch' }]);
  expect(replay).toMatchObject({ virtualMs: 100, counts: { received: 1 }, queue: { launchedAt: 0 } });
});

test('gives the same results when the time advances in pieces', () => {
  checkProperty(
    fc.property(anyRecords(), anyLimits, fc.integer({ min: 1, max: 3 }), (records, limits, most) => {
      const engine = createParleyEngine(limits);
      records.every((record) => {
        while (engine.pass(record, most));
        return engine.take(record);
      });
      while (engine.pass(END, most));
      expect(engine.nextTick()).toBeUndefined();
      expect(hashReplay(engine.finish())).toBe(hashReplay(replayed(createParleyEngine(limits), records)));
    }),
  );
});

test('releases frames before, at and after a tick each at the right tick', () => {
  const ticks: number[] = [];
  const engine = createParleyEngine({ onStep: ({ tick }) => ticks.push(tick) });
  const frames = [0, 99.9, 100, 100, 512.5].map((t, i) => recv(t, { name: `name ${i}` }));
  expect(replayed(engine, frames).virtualMs).toBe(600);
  expect(ticks).toEqual([100, 200, 300, 400, 600]);
});

test('reports the updates that wait at a limit', () => {
  const burst = ['a', 'bé', 'c'].map((name) => recv(5, { name }));
  const { queue, virtualMs } = replayed(createParleyEngine({ at: 250 }), burst);
  expect({ queue, virtualMs }).toMatchObject({ queue: { length: 1, bytes: 12 }, virtualMs: 200 });
  expect(replayed(createParleyEngine({ until: 1 }), burst).queue).toMatchObject({ length: 2, bytes: 26 });
});

test('ignores waiting and later updates after the end of a session', () => {
  const records: CaptureRecord[] = [
    recv(1, { name: 'seen' }),
    recv(2, { name: 'not seen' }),
    { t: 150, type: 'action', action: { type: 'session/ended' } },
    { t: 151, type: 'close', code: 1006, reason: 'late' },
    recv(152, { name: 'too late' }),
  ];
  const { conversation, counts, connection } = replayed(createParleyEngine(), records);
  expect(conversation.person).toBe('seen');
  expect(counts).toMatchObject({ received: 2, applied: 1 });
  expect(connection.closedBecause).toBeNull();
});
