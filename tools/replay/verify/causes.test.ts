import { expect, test } from 'vitest';
import type { Action } from '@reduxjs/toolkit';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
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
