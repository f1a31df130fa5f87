import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Action } from '@reduxjs/toolkit';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type * as fifo from '#shared/fifo.ts';
import { emptyFifo } from '#shared/fifo.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { type ParleyAdapter, parleyAdapter } from '#shared/replay/adapter.ts';
import type { Update } from '#shared/protocol/update.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import type { ReplayState } from '../parley/parley.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { reportMutations } from './findCause.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { recordOf } from './resultRecord.ts';
import { resultLines, unpainted } from './resultLines.ts';
import { recordTwice } from './verifyCapture.ts';

const RECORDS: readonly CaptureRecord[] = [
  recv(1, message('Hello')),
  { t: 150, type: 'action', action: { type: 'audio/started' } },
  recv(160, { text: 'Hi' }),
  recv(170, { text: 'Ho' }),
];

/** Replays the records with a reducer that changes its state at some actions; returns the mutations that are reported. */
function mutationsOf(type: string, mutate: (state: ReplayState) => void): string[] {
  const found: string[] = [];
  const parley = parleyAdapter();
  const mutating: SessionAdapter<ReplayState, Update, Action> = {
    ...parley,
    reports: parleyReports(),
    reduce(state, action) {
      if (action.type === type) mutate(state);
      return parley.reduce(state, action);
    },
  };
  const engine = createEngine(
    reportMutations(mutating, (action, path) => found.push(`${action ?? 'an update'} ${path}`)),
  );
  const replay = () => {
    RECORDS.forEach((record) => engine.take(record));
    engine.finish();
  };
  expect(replay).toThrow(TypeError);
  return found;
}

test.each<[string, (state: ReplayState) => void, string]>([
  ['update/applied', (state) => Object.assign(state.counts, { applied: 9 }), 'counts.applied'],
  ['update/received', ({ queue }) => Object(queue.waiting).front.push(1), 'queue.waiting[0]'],
  ['update/received', ({ queue }) => Object(queue.waiting.front[0]).bytes++, 'queue.waiting[0].bytes'],
  ['audio/started', (state) => Object.assign(state.audio, { isOn: true }), 'audio.isOn'],
  ['update/received', () => Object.assign(emptyFifo().front, { 0: 1 }), ''],
])('names the path of a mutated state: at %s', (type, mutate, path) => {
  expect(mutationsOf(type, mutate)[0]).toBe(`${type === 'update/applied' ? 'an update' : type} ${path}`);
});

type Fifo = typeof fifo;

/** The function of the queue that has a fault. */
let faulty: Fifo['enqueue'] | undefined;

/** Loads the replayed code again, with that function. */
async function loadFaultyCode() {
  vi.resetModules();
  vi.doMock('#shared/fifo.ts', async (original) => {
    const own = await original<Fifo>();
    const enqueue: Fifo['enqueue'] = (queue, item) => (faulty ?? own.enqueue)(queue, item);
    return { ...own, enqueue };
  });
  return import('./testing/verifyParley.ts');
}

let code: Awaited<ReturnType<typeof loadFaultyCode>>;
beforeAll(async () => {
  code = await loadFaultyCode();
});
afterAll(() => {
  vi.doUnmock('#shared/fifo.ts');
  vi.resetModules();
});

const SESSION = [
  recv(0, { person: 'Ada', messages: [] }),
  ...['a', 'b', 'c'].map((id, i) => recv(i + 1, message(id))),
];

const queueOf = <T>(front: readonly T[]) => ({ front, middle: null, back: [] });

test.each<[string, Fifo['enqueue'], string]>([
  [
    'the queue loses an update',
    ({ front }, item) => queueOf([...front, item].slice(-3)),
    'update 1 was lost: it is not at queue.waiting[0]',
  ],
  [
    'the queue repeats an update',
    ({ front }, item) => queueOf(front.length === 2 ? [...front, item, item] : [...front, item]),
    'update 3 was repeated: it is again at queue.waiting[3]',
  ],
  [
    'the queue releases an update before an earlier one',
    ({ front: [first, ...others] }, item) => queueOf(first === undefined ? [item] : [first, item, ...others]),
    'update 3 came before update 2: it is at queue.waiting[1]',
  ],
])('names the update and the place in the queue when %s', async (cause, enqueue, line) => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), SESSION);
  faulty = undefined;
  await code.verifyParley(capture, { update: true });
  faulty = enqueue;
  const result = await code.verifyParley(capture);
  expect(resultLines(result, unpainted)).toContain(`  ${line}`);
  expect(recordOf(result).signature).toBe(`differs: ${cause}`);
});

const capture = async () =>
  writeCapture((await temporaryFolder())('x.parley.jsonl'), [
    recv(0, { person: 'Ada', messages: [message('a')] }),
    { t: 10, type: 'action', action: { type: 'connection/confirmed' } },
  ]);

type Reduce = ParleyAdapter['reduce'];

const parley = { ...parleyAdapter(), reports: parleyReports() };

const readsClock: Reduce = (state, action) => {
  const next = parley.reduce(state, action);
  return { ...next, preferences: Object({ ...next.preferences, at: Date.now() }) };
};

/** Throws in one of the two replays. */
const throwsByChance: Reduce = (state, action) => {
  if (action.type === 'connection/confirmed' && Math.random() < 0.5) throw new RangeError('by chance');
  return parley.reduce(state, action);
};

test.each<readonly [string, Reduce, RegExp]>([
  ['reads the clock', readsClock, /differ in preferences\.at at 0 ms; it may read no clock/],
  ['throws by chance', throwsByChance, /differ in an error that only one of them throws;/],
])('refuses a reducer of Parley that %s', async (_, reduce, problem) => {
  const path = await capture();
  const recording = recordTwice(path, { adapter: { ...parley, reduce } });
  await expect(recording).rejects.toThrow(problem);
  await expect(recording).rejects.toThrow(`${path}: the reducer is not deterministic: two replays `);
});
