import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import { parleyApp } from '../apps/parley.ts';
import { type Trace, lastStep, stepOf } from './trace.ts';
import { TraceLoader } from './TraceLoader.ts';
import { CHECKPOINT_STEPS, Steps } from './stepTable.ts';
import { runTask } from './task.ts';
import { type ExpectedStep, expectedSteps, longRecords, restOf } from '../testing/expectedSteps.ts';
import { allSteps, captureText, HEADER, parleyStates, traceOf } from '../testing/modelOf.ts';

const encoder = new TextEncoder();

/** Returns everything that the panes show of a trace, for every `stride`-th step. */
const stepsOf = (trace: Trace, stride = 1, stateAt = parleyStates(trace)) =>
  Array.from({ length: Math.floor(lastStep(trace) / stride) + 1 }, (_, i) => {
    const { kind, t, record } = stepOf(trace, i * stride);
    const state = stateAt(i * stride);
    return { kind, t, record, conversation: toSnapshot(state.conversation), rest: restOf(state) };
  });

const seen = (steps: readonly ExpectedStep[], stride: number) =>
  steps
    .filter((_, step) => step % stride === 0)
    .map(({ conversation, ...step }) => Object.assign(step, { conversation: toSnapshot(conversation) }));

const shownBeside = ({ rest: { counts: _counts, queue: _queue, ...rest } }: ExpectedStep) => rest;

/** Returns whether a step changes the conversation, the connection or what a window shows beside them. */
const isShown = (step: ExpectedStep, before = step) =>
  stateDiff(before.conversation, step.conversation).length > 0 ||
  !isSameJson(shownBeside(before), shownBeside(step));

const long = longRecords(anyRecords(), 200);

test.each([
  ['any session', { sessions: anyRecords(), numRuns: 50, stride: 1, checkpoints: 0 }],
  ['a session with many checkpoints', { sessions: long, numRuns: 1, stride: 17, checkpoints: 3 }],
])('computes each step of %s like the engine, and marks those that change what is shown', (_, options) => {
  const { sessions, numRuns, stride, checkpoints } = options;
  checkAll(numRuns, [sessions], (records) => {
    const trace = traceOf(records);
    const steps = expectedSteps(records);
    const kept = allSteps(trace).filter(({ state }) => state !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(checkpoints);
    expect(stepsOf(trace, stride)).toEqual(seen(steps, stride));
    const shown = steps.map((step, i) => isShown(step, steps[i - 1]));
    expect(allSteps(trace).map(({ isChanged }) => isChanged)).toEqual(shown);
  });
});

test('computes the same trace when it is read while it grows, for any session', () => {
  checkAll(60, [anyRecords(), fc.array(fc.nat(3000), { maxLength: 5 })], (records, cuts) => {
    const bytes = encoder.encode(captureText(records));
    const loader = new TraceLoader('x', { app: parleyApp });
    let from = HEADER.length;
    loader.take(bytes.slice(0, from));
    for (const to of [...cuts.map((cut) => Math.min(HEADER.length + cut, bytes.length)), bytes.length]) {
      runTask(loader.settle());
      if (to < from) continue;
      loader.take(bytes.slice(from, to));
      from = to;
    }
    const trace = runTask(loader.settle());
    expect(stepsOf(trace)).toEqual(stepsOf(traceOf(records)));
    expect(trace.warnings).toEqual([]);
  });
});

test('shows what is before a broken line of a file, with a warning, and ignores what follows', () => {
  const loader = new TraceLoader('x', { app: parleyApp, brokenLines: 'end' });
  const good = captureText([recv(1, { name: 'Ada' })]);
  loader.take(encoder.encode(`${good}{"t":2\n`));
  loader.take(new Uint8Array([0xff, 0x0a]));
  loader.take(encoder.encode(`${JSON.stringify(recv(3, { name: 'Mary' }))}\n`));
  const trace = runTask(loader.settle());
  expect(trace.warnings).toEqual(['x:3: is not JSON; only what is before it is used']);
  expect(stepsOf(trace).at(-1)?.conversation.person).toBe('Ada');
});

test('copies the checkpoints and the exceptions of the first steps only', () => {
  const steps = new Steps();
  const state = parleyApp.initialState;
  for (let step = 0; step < 2 * CHECKPOINT_STEPS; step++) {
    const checkpoint = step % CHECKPOINT_STEPS === 0 && { state };
    steps.push({ kind: 'other', t: step, record: step, failure: `stack ${step}`, ...checkpoint });
  }
  const copy = steps.copy(CHECKPOINT_STEPS + 1);
  expect([copy.at(0)?.failure, copy.at(CHECKPOINT_STEPS)?.state]).toEqual(['stack 0', state]);
  copy.push({ kind: 'other', t: 0, record: 0 });
  expect(copy.at(CHECKPOINT_STEPS + 1)?.failure).toBeUndefined();
});
