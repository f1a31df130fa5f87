import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { captureTime } from '#shared/capture/captureTime.ts';
import { roundTime } from '#shared/time/roundTime.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { createFold } from './createFold.ts';
import { hashReplay } from './outcome.ts';
import type { EngineOptions, Limits, Replay, Step, TimedEngine } from './replay.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { naiveReplay } from './testing/naiveReplay.ts';
import { createStoreEngine } from './createStoreEngine.ts';
import { endsSession } from './actions.ts';
import { wholeState } from '../sessions/wholeState.ts';
import { END } from './nextRelease.ts';

const ENGINES: readonly [string, (options?: EngineOptions) => TimedEngine][] = [
  ['fold', createFold],
  ['store', createStoreEngine],
];

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

function replayed(engine: TimedEngine, records: readonly CaptureRecord[]): Replay {
  records.every((record) => engine.take(record));
  return engine.finish();
}

/** Runs a replay and returns its result and steps in a form that is the same for all engines. */
function whole(create: (options?: EngineOptions) => TimedEngine, records: CaptureRecord[], limits: Limits) {
  const steps: Omit<Step, 'before' | 'after'>[] = [];
  const replay = replayed(
    create({ ...limits, onStep: ({ before: _before, after: _after, ...step }) => steps.push(step) }),
    records,
  );
  return { ...replay, conversation: toSnapshot(replay.conversation), hash: hashReplay(replay), steps };
}

test('gives the same results with the fold and the store, for any session and any limit', () => {
  checkProperty(
    fc.property(anyRecords(), anyLimits, (records, limits) => {
      expect(whole(createFold, records, limits)).toEqual(whole(createStoreEngine, records, limits));
    }),
    500,
  );
});

const delayed = (records: readonly CaptureRecord[], by: number): CaptureRecord[] =>
  records.map((record) => ({ ...record, t: record.t + by }));

const endAt = (t: number): CaptureRecord => ({ t, type: 'action', action: { type: 'session/ended' } });

const anySession = anyRecords().map((records) => records.filter((record) => !endsSession(record)));

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

/** Returns the state after each record, also beyond the end of a session. */
function statesOf(create: (options?: EngineOptions) => TimedEngine, records: readonly CaptureRecord[]) {
  const engine = create({ passesEnd: true });
  return records.map((record) => {
    expect(engine.take(record)).toBe(true);
    return wholeState(engine.checkpoint());
  });
}

test('gives the same states beyond the ends of two sessions with the fold and the store', () => {
  checkProperty(
    fc.property(anyTwoSessions, (records) => {
      const states = statesOf(createStoreEngine, records);
      expect(statesOf(createFold, records)).toEqual(states);
      expect(states.at(-1)).toMatchObject({
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
      for (const create of [createFold, createStoreEngine])
        expect(whole(create, records, {})).toEqual(whole(create, before, {}));
    }),
    50,
  );
});

test.each(ENGINES)(
  'the %s gives the results of a simple replay, for any session and any limit',
  (_, create) => {
    checkProperty(
      fc.property(anyRecords(), anyLimits, (records, limits) => {
        const { conversation, counts, ...replay } = replayed(create(limits), records);
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
  },
);

const anyLaunch = fc.integer({ min: 1, max: 20_000_000 }).map((microseconds) => microseconds / 1000);

test.each(ENGINES)('contract §6 launch: the %s counts ticks from the launch record', (_, create) => {
  checkProperty(
    fc.property(anyRecords(), anyLaunch, (records, launchedAt) => {
      const later = records.map((record) => ({ ...record, t: captureTime(roundTime(record.t), launchedAt) }));
      const early = records.map((record) => ({ ...record, t: roundTime(record.t) }));
      const { steps, queue, ...replay } = whole(create, [{ t: launchedAt, type: 'launch' }, ...later], {});
      const expected = whole(create, early, {});
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

test.each(ENGINES)(
  'contract §6 release: the %s releases an update at its late tick, and the others at their own',
  (_, create) => {
    const ticks: number[] = [];
    const replay = replayed(create({ onStep: ({ tick }) => ticks.push(tick) }), LATE);
    expect([ticks, replay.virtualMs]).toEqual([[100, 400, 500, 600], 600]);
  },
);

test.each(ENGINES)('contract §6 release: in the %s an update waits until its late release', (_, create) => {
  const waiting = (at: number) => replayed(create({ at }), LATE).queue.length;
  expect([99, 100, 200, 450, 450.5, 500].map(waiting)).toEqual([3, 2, 2, 2, 2, 1]);
  const engine = create();
  for (const record of LATE.slice(0, 3)) engine.take(record);
  expect(engine.nextTick(LATE[3])).toBe(100);
  engine.pass(LATE[3], 1);
  expect(engine.nextTick(LATE[3])).toBe(450.5);
});

test.each(ENGINES)('the %s ignores a launch after a frame', (_, create) => {
  const replay = replayed(create(), [recv(5, { name: 'a' }), { t: 50, type: 'launch' }]);
  expect(replay).toMatchObject({ virtualMs: 100, counts: { received: 1 }, queue: { launchedAt: 0 } });
});

test.each(ENGINES)('the %s gives the same results when the time advances in pieces', (_, create) => {
  checkProperty(
    fc.property(anyRecords(), anyLimits, fc.integer({ min: 1, max: 3 }), (records, limits, most) => {
      const engine = create(limits);
      records.every((record) => {
        while (engine.pass(record, most));
        return engine.take(record);
      });
      while (engine.pass(END, most));
      expect(engine.nextTick()).toBeUndefined();
      expect(hashReplay(engine.finish())).toBe(hashReplay(replayed(create(limits), records)));
    }),
  );
});

test.each(ENGINES)(
  'the %s releases frames before, at and after a tick each at the right tick',
  (_, create) => {
    const ticks: number[] = [];
    const engine = create({ onStep: ({ tick }) => ticks.push(tick) });
    const frames = [0, 99.9, 100, 100, 512.5].map((t, i) => recv(t, { name: `name ${i}` }));
    expect(replayed(engine, frames).virtualMs).toBe(600);
    expect(ticks).toEqual([100, 200, 300, 400, 600]);
  },
);

test.each(ENGINES)('the %s reports the updates that wait at a limit', (_, create) => {
  const burst = ['a', 'bé', 'c'].map((name) => recv(5, { name }));
  const { queue, virtualMs } = replayed(create({ at: 250 }), burst);
  expect({ queue, virtualMs }).toMatchObject({ queue: { length: 1, bytes: 12 }, virtualMs: 200 });
  expect(replayed(create({ until: 1 }), burst).queue).toMatchObject({ length: 2, bytes: 26 });
});

test.each(ENGINES)('the %s ignores waiting and later updates after the end of a session', (_, create) => {
  const records: CaptureRecord[] = [
    recv(1, { name: 'seen' }),
    recv(2, { name: 'not seen' }),
    { t: 150, type: 'action', action: { type: 'session/ended' } },
    { t: 151, type: 'close', code: 1006, reason: 'late' },
    recv(152, { name: 'too late' }),
  ];
  const { conversation, counts, connection } = replayed(create(), records);
  expect(conversation.person).toBe('seen');
  expect(counts).toMatchObject({ received: 2, applied: 1 });
  expect(connection.closedBecause).toBeNull();
});
