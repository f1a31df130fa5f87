import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { emptyFifo } from '#shared/fifo.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { Action } from '@reduxjs/toolkit';
import type { Update } from '#shared/protocol/update.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import type { ReplayState } from '../parley/parley.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { reportMutations } from './findCause.ts';

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
