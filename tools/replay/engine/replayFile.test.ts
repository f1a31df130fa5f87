import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { virtualClock } from '#shared/clock.ts';
import { driveFast, drivePaced } from './replayFile.ts';
import { createParleyEngine } from '../parley/parley.ts';

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

async function* batchesOf(...batches: readonly (readonly CaptureRecord[])[]) {
  yield* batches;
}

/** Advances the clock each time the drive waits, until the drive ends. */
async function turned(clock: ReturnType<typeof virtualClock>, driving: Promise<void>): Promise<number[]> {
  const moments: number[] = [];
  const state = { isDone: false };
  const done = driving.then(() => (state.isDone = true));
  while (!state.isDone) {
    const due = clock.nextDue();
    if (due !== undefined) clock.advance(due - clock.now());
    if (due !== undefined) moments.push(due);
    await Promise.resolve();
  }
  await done;
  return moments;
}

test('takes each record and each tick at a tenth of its time with factor 10', async () => {
  const clock = virtualClock();
  clock.advance(5000);
  const steps: [name: number, moment: number][] = [];
  const engine = createParleyEngine({ onStep: ({ tick }) => steps.push([tick, clock.now()]) });
  const records = batchesOf([recv(10, 'a'), recv(20, 'b')], [{ t: 1000, type: 'open' }, recv(1250, 'c')]);
  await turned(clock, drivePaced({ clock, speed: 10 })(records, engine));
  expect(steps).toEqual([
    [100, 5010],
    [200, 5020],
    [1300, 5130],
  ]);
});

test('contract §6 release: releases a late update at the time of its record', async () => {
  const clock = virtualClock();
  const steps: [name: number, moment: number][] = [];
  const engine = createParleyEngine({ onStep: ({ tick }) => steps.push([tick, clock.now()]) });
  const late = { t: 350, type: 'release', update: 1, due: 100, tick: 300 } as const;
  const records = batchesOf([recv(10, 'a'), recv(20, 'b'), late]);
  await turned(clock, drivePaced({ clock, speed: 10 })(records, engine));
  expect(steps).toEqual([
    [300, 35],
    [400, 40],
  ]);
});

test('does not wait past a time limit', async () => {
  const clock = virtualClock();
  const engine = createParleyEngine({ at: 150 });
  const records = batchesOf([recv(10, 'a'), recv(20, 'b'), recv(10_000, 'c')]);
  const moments = await turned(clock, drivePaced({ clock, speed: 1, at: 150 })(records, engine));
  expect(moments.at(-1)).toBe(150);
  expect(engine.finish()).toMatchObject({ virtualMs: 100, queue: { length: 1 } });
});

test('splits a pause of months into waits that a timer supports', async () => {
  const clock = virtualClock();
  const longest = { ms: 0 };
  const counting = {
    ...clock,
    after(ms: number, task: () => void) {
      longest.ms = Math.max(longest.ms, ms);
      return clock.after(ms, task);
    },
  };
  const months = 2 ** 33;
  await turned(
    clock,
    drivePaced({ clock: counting, speed: 1 })(batchesOf([recv(months, 'a')]), createParleyEngine()),
  );
  expect(clock.now()).toBeGreaterThan(months);
  expect(longest.ms).toBeLessThan(2 ** 31);
});

test.each([
  ['at the end', []],
  ['before something else', [recv(1e7, 'late')]],
])('lets the event loop run in the middle of a long burst %s', async (_when, later) => {
  const burst = Array.from({ length: 25_000 }, (__, i) => recv(1, `${i}`));
  const engine = createParleyEngine();
  const driving = driveFast(batchesOf([...burst, ...later]), engine);
  const seen = new Set<number | undefined>();
  const state = { isDone: false };
  const done = driving.then(() => (state.isDone = true));
  while (!state.isDone) {
    if (engine.nextTick() !== 1e7 + 100) seen.add(engine.nextTick());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  expect(seen.size).toBeGreaterThan(2);
  expect(engine.finish().counts.applied).toBe(25_000 + later.length);
});
