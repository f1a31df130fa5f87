import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { type Resumable, runWithRestarts, throughJson } from '#tests/builders/runWithRestarts.ts';
import { endsSession } from '#shared/replay/adapter.ts';
import { END } from '../engine/createEngine.ts';
import { type ReplayState, createParleyEngine } from './parley.ts';

/** A record, or the release of at most `most` of the updates before a record. */
type Entry = { readonly record: CaptureRecord } | { readonly passTo: CaptureRecord; readonly most: number };

/** Returns a function that starts engines; it calls `onStart` with the tick for which an update waits. */
function startOf(onStart = (_tick: number | undefined) => {}) {
  return (start?: ReplayState): Resumable<ReplayState, Entry> => {
    const engine = createParleyEngine({ start });
    onStart(engine.nextTick());
    return {
      take: (entry) =>
        void ('record' in entry ? engine.take(entry.record) : engine.pass(entry.passTo, entry.most)),
      state: () => engine.state(),
    };
  };
}

/** Generates the log of a session until its end: before each record, some of the updates that are due are released. */
const anyLog: fc.Arbitrary<Entry[]> = anyRecords().chain((records) => {
  const end = records.findIndex(endsSession);
  const session = end === -1 ? records : records.slice(0, end + 1);
  const rest: Entry[] = end === -1 ? [{ passTo: END, most: Infinity }] : [];
  const releases = fc.array(fc.nat(2), { minLength: session.length, maxLength: session.length });
  return releases.map((counts) =>
    session
      .flatMap((record, i): Entry[] => [{ passTo: record, most: counts[i] ?? 0 }, { record }])
      .concat(rest),
  );
});

test('continues from any state to the same end', () => {
  let restartsWithWaiting = 0;
  const count = (tick: number | undefined) => {
    if (tick !== undefined) restartsWithWaiting++;
  };
  checkProperty(
    fc.property(anyLog, fc.array(fc.nat(), { maxLength: 6 }), (log, cuts) => {
      const indexes = new Set(cuts.map((cut) => cut % (log.length + 1)));
      const last = runWithRestarts(startOf(count), log, indexes);
      expect(throughJson(last)).toEqual(throughJson(runWithRestarts(startOf(), log)));
    }),
    200,
  );
  expect(restartsWithWaiting).toBeGreaterThan(100);
});

test('continues from a state with an update whose tick has come', () => {
  const log: Entry[] = [
    ...['a', 'b', 'c'].map((name) => ({ record: recv(5, { name }) })),
    { passTo: recv(350, {}), most: 1 },
    { record: recv(350, { name: 'd' }) },
    { passTo: END, most: Infinity },
  ];
  const ticks: (number | undefined)[] = [];
  const last = runWithRestarts(
    startOf((tick) => ticks.push(tick)),
    log,
    new Set([4]),
  );
  expect(ticks).toEqual([undefined, 200]);
  expect(last).toMatchObject({ conversation: { person: 'd' }, queue: { length: 0, lastTick: 400 } });
});

test('continues with 10,000 waiting updates', () => {
  const frames = Array.from({ length: 10_000 }, (_, i): Entry => ({
    record: recv(i / 100, { name: `${i}` }),
  }));
  const end: Entry = { passTo: recv(250_000, {}), most: Infinity };
  const state = runWithRestarts(startOf(), [...frames, end], new Set([5000, 10_000]));
  expect(state).toMatchObject({
    conversation: { person: '2499' },
    queue: { length: 7500, lastTick: 250_000 },
  });
});

test('a checkpoint does not change while its engine continues', () => {
  const engine = createParleyEngine();
  engine.take(recv(1, { name: 'Ada' }));
  const checkpoint = engine.state();
  const before = JSON.stringify(checkpoint);
  engine.take(recv(2, 'no update'));
  engine.take(recv(150, { name: 'Bob' }));
  expect(JSON.stringify(checkpoint)).toBe(before);
});
