import { createHash } from 'node:crypto';
import { combineReducers, configureStore } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { endsSession, parleyAdapter } from '#shared/replay/adapter.ts';
import { snapshotFieldsReducer } from '#shared/store/conversationSlices.ts';
import { DEFAULT_MIDDLEWARE, queueMiddleware } from '#shared/store/sessionMiddleware.ts';
import { replayedReducers } from '#shared/store/rootReducer.ts';
import { sessionLaunched } from '#shared/actions/sessionActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { attentionReducer, windowsReducer } from '#shared/store/openWindows.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { type Resumable, runWithRestarts, throughJson } from '#tests/builders/runWithRestarts.ts';
import { type ParleyEngine, type ReplayState, createParleyEngine, wholeState } from './parley.ts';
import { frameBytes, isFrame } from '../engine/frames.ts';
import { END } from '../engine/createEngine.ts';
import { hashReplay } from './hashReplay.ts';

function replayed(engine: ParleyEngine, records: readonly CaptureRecord[]) {
  records.every((record) => engine.take(record));
  return engine.finish();
}

const anySession = anyRecords().map((records) => records.filter((record) => !endsSession(record)));

/** Returns the state of the app's store with its queue, on a clock that advances from record to record, as far as the engine has it. */
function storeAfter(records: readonly CaptureRecord[]): object {
  const clock = virtualClock();
  const [attention, snapshotFields, windows] = [attentionReducer, snapshotFieldsReducer, windowsReducer];
  const store = configureStore({
    reducer: combineReducers({ ...replayedReducers, attention, snapshotFields, windows }),
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
  checkAll(100, [anySession], (records) => {
    const inTime = records.filter(({ type }) => type !== 'release');
    expect(wholeState(replayed(createParleyEngine(), inTime))).toEqual(storeAfter(inTime));
  });
});

const LATE: readonly CaptureRecord[] = [
  ...['a', 'b', 'c'].map((name, i) => recv(10 + i, { name })),
  { t: 450.5, type: 'release', update: 2, due: 200, tick: 400 },
  recv(450.5, { name: 'd' }),
];

const waiting = (at: number) => replayed(createParleyEngine({ at }), LATE).queue.length;

test('contract §6 release: an update waits until its late release, and is released at its late tick; the others at their own', () => {
  const ticks: number[] = [];
  const replay = replayed(createParleyEngine({ onStep: ({ tick }) => ticks.push(tick) }), LATE);
  expect([ticks, replay.virtualMs]).toEqual([[100, 400, 500, 600], 600]);
  expect([99, 100, 200, 450, 450.5, 500].map(waiting)).toEqual([3, 2, 2, 2, 2, 1]);
});

/** A record, or the release of at most `most` of the updates before a record. */
type Entry = { readonly record: CaptureRecord } | { readonly passTo: CaptureRecord; readonly most: number };

/** Returns a function that starts engines; it calls `onStart` with the tick for which an update waits. */
function startOf(onStart = (_tick: number | undefined) => {}) {
  return (start?: ReplayState): Resumable<ReplayState, Entry> => {
    const engine = createParleyEngine({ start });
    onStart(engine.nextTick());
    const take = (entry: Entry) =>
      void ('record' in entry ? engine.take(entry.record) : engine.pass(entry.passTo, entry.most));
    return { take, state: () => engine.state() };
  };
}

/** Generates the log of a session until its end: before each record, some of the updates that are due are released. */
const anyLog: fc.Arbitrary<Entry[]> = anyRecords().chain((records) => {
  const end = records.findIndex(endsSession);
  const session = end === -1 ? records : records.slice(0, end + 1);
  const rest: Entry[] = end === -1 ? [{ passTo: END, most: Infinity }] : [];
  const releases = fc.tuple(...session.map(() => fc.nat(2)));
  return releases.map((counts) =>
    session
      .flatMap((record, i): Entry[] => [{ passTo: record, most: counts[i] ?? 0 }, { record }])
      .concat(rest),
  );
});

test('continues from any state to the same end', () => {
  let restartsWithWaiting = 0;
  const count = (tick: number | undefined) => void (tick !== undefined && restartsWithWaiting++);
  checkAll(100, [anyLog, fc.array(fc.nat(), { maxLength: 6 })], (log, cuts) => {
    const indexes = new Set(cuts.map((cut) => cut % (log.length + 1)));
    const last = runWithRestarts(startOf(count), log, indexes);
    expect(throughJson(last)).toEqual(throughJson(runWithRestarts(startOf(), log)));
  });
  expect(restartsWithWaiting).toBeGreaterThan(30);
});

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(12.4, { person: 'Ada Lovelace', messages: [] }),
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  recv(14, { modifier: 'ai', id: '1', context: 'Parley', content: [{ text: 'hé "you"', category: 'text' }] }),
  recv(15, {}),
  { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
];

/** The text is written by hand from contract §7 and hashed without code of the tool. */
const CANONICAL =
  '{"conversation":{"messages":[{"content":[{"category":"text","text":"hé \\"you\\""}],"context":"Parley","id":"1",' +
  '"modifier":"ai"}],"person":"Ada Lovelace"},"frames":{"received":4,"rejected":1,"sent":1},' +
  '"notifications":[{"body":"hé \\"you\\"","title":"Parley"}],"updates":{"applied":3,"ignored":0}}';

test('contract §7 hash: hashes the canonical text of a small session', () => {
  const digest = createHash('sha256').update(CANONICAL, 'utf8').digest('hex');
  expect(hashReplay(replayed(createParleyEngine(), RECORDS))).toBe(`sha256:${digest}`);
});
