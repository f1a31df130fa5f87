import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { virtualClock } from '#shared/clock.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { counterAdapter } from '../testing/counterAdapter.ts';
import type { AppAdapter } from './appAdapter.ts';
import { sessionOf } from './appSession.ts';
import { type Step, createEngine } from './createEngine.ts';
import { capturesBefore } from './continuedEngine.ts';
import { drivePaced } from './replayFile.ts';
import { createParleyEngine } from '../parley/parley.ts';

const received = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });

function replayed(records: readonly CaptureRecord[], adapter: AppAdapter = counterAdapter, limits = {}) {
  const steps: string[] = [];
  const rejections: object[] = [];
  const onStep = ({ number, tick, kind, effect }: Step) => steps.push(`${number} ${tick} ${kind} ${effect}`);
  const onRejected = (rejection: object) => rejections.push(rejection);
  const engine = createEngine(sessionOf(adapter), { ...limits, onStep, onRejected });
  records.every((record) => engine.take(record));
  const { queue, ...session } = engine.finish();
  const { length, bytes, lastTick: virtualMs } = queue;
  return { ...session, queue: { length, bytes }, virtualMs, steps, rejections };
}

test('applies each update when it is received, in a session without a queue; rejects a frame with the adapter’s reason, and passes bytes', () => {
  const { state, steps, counts, rejections, virtualMs, queue } = replayed([
    received(5, 'a 1'),
    received(5, 'b 2'),
    received(6, 'a x'),
    received(7.5, 'a 0'),
    { t: 8, type: 'recv', data: 'AAEC', encoding: 'base64' },
    received(9, 'a 3'),
    { t: 10, type: 'send', data: 'x' },
  ]);
  const ticks = ['1 5 a', '2 5 b', '3 7.5 a', '4 8 bytes', '5 9 a'];
  expect(steps).toEqual(ticks.map((tick, i) => `${tick} ${i === 2 ? 'ignored' : 'applied'}`));
  expect(state).toEqual({ totals: { a: 4, b: 2, bytes: 3 }, isOpen: false });
  expect(rejections).toEqual([{ reason: 'no amount', where: 'a.amount' }]);
  expect(counts).toEqual({ received: 6, sent: 1, applied: 4, ignored: 1, rejected: { 'no amount': 1 } });
  expect({ virtualMs, queue }).toEqual({ virtualMs: 9, queue: { length: 0, bytes: 0 } });
});

const queued: AppAdapter = { ...counterAdapter, tick: (at, previous) => Math.max(at, previous) + 50 };

test('contract §6 launch: releases each update at its tick, which counts from the launch', () => {
  const records: CaptureRecord[] = [{ t: 10, type: 'launch' }, received(15, 'a 1'), received(20, 'b 1')];
  expect(replayed(records, queued).steps).toEqual(['1 65 a applied', '2 115 b applied']);
  const first = { steps: ['1 65 a applied'], queue: { length: 1, bytes: 3 }, virtualMs: 55 };
  expect(replayed(records, queued, { at: 100 })).toMatchObject(first);
  expect(replayed(records, queued, { until: 1 }).queue.length).toBe(1);
});

test('refuses a tick before the frame', () => {
  const early: AppAdapter = { ...queued, tick: (at) => at - 1 };
  expect(() => replayed([received(15, 'a 1')], early)).toThrow('tick(15, 0) returned 14, which is earlier');
});

test('reduces opens, closes and recorded actions, and keeps the reason of a close', () => {
  const actions: unknown[] = [];
  const reduceAction = <State>(state: State, action: object) => (actions.push(action), state);
  const { connection } = replayed(
    [
      { t: 1, type: 'open' },
      { t: 2, type: 'action', action: { type: 'card/selected', payload: 3 } },
      { t: 3, type: 'close', code: 1006, reason: '' },
      { t: 4, type: 'note' },
    ],
    { ...queued, reduceAction },
  );
  expect(actions).toEqual([
    { type: 'connection/opened' },
    { type: 'card/selected', payload: 3 },
    { type: 'connection/closed', payload: { code: 1006, reason: '' } },
  ]);
  expect(connection).toEqual({ status: 'disconnected', closedBecause: '1006' });
});

test.each([
  ['x.parley.jsonl', []],
  ['a/x.then.parley.jsonl', ['a/x.parley.jsonl']],
  ['x.then.then.parley.jsonl', ['x.parley.jsonl', 'x.then.parley.jsonl']],
  ['s3://bucket/x.then.parley.jsonl', ['s3://bucket/x.parley.jsonl']],
  ['a.then/x.parley.jsonl', []],
])('the captures before %s are %j', (capture, before) => {
  expect(capturesBefore(capture)).toEqual(before);
});

const named = (t: number, name: string) => recv(t, { name });

async function* batchesOf(...batches: readonly (readonly CaptureRecord[])[]) {
  yield* batches;
}

/** Drives the records at ten times their speed on a clock that advances whenever the drive waits; returns each tick and its moment. */
async function driven(start: number, ...batches: readonly (readonly CaptureRecord[])[]) {
  const clock = virtualClock();
  clock.advance(start);
  const steps: [tick: number, moment: number][] = [];
  const engine = createParleyEngine({ onStep: ({ tick }) => steps.push([tick, clock.now()]) });
  const state = { isDone: false };
  const drive = drivePaced({ clock, speed: 10 })(batchesOf(...batches), engine);
  const done = drive.then(() => (state.isDone = true));
  while (!state.isDone) {
    clock.advance((clock.nextDue() ?? clock.now()) - clock.now());
    await Promise.resolve();
  }
  await done;
  return steps.map((step) => step.join(' at '));
}

test('contract §6 release: takes each record and each tick at a tenth of its time with factor 10, and a late update at the time of its record', async () => {
  const first = [named(10, 'a'), named(20, 'b')];
  const second = [{ t: 1000, type: 'open' }, named(1250, 'c')];
  expect(await driven(5000, first, second)).toEqual(['100 at 5010', '200 at 5020', '1300 at 5130']);
  const late = { t: 350, type: 'release', update: 1, due: 100, tick: 300 } as const;
  expect(await driven(0, [named(10, 'a'), named(20, 'b'), late])).toEqual(['300 at 35', '400 at 40']);
});
