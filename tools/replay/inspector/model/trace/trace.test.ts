import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toList } from '#shared/fifo.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { type ReplayState, createParleyEngine } from '../../../parley/parley.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import { parleyApp } from '../apps/parley.ts';
import { type Trace, copyTrace, lastStep, stepOf } from './trace.ts';
import { TraceLoader } from './TraceLoader.ts';
import { runTask } from './task.ts';
import { type ExpectedStep, expectedSteps, longRecords, restOf } from '../testing/expectedSteps.ts';
import { allSteps, captureText, HEADER, parleyStates, traceOf } from '../testing/modelOf.ts';
import { CHECKPOINT_STEPS, type Step, Steps } from './stepTable.ts';

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
  const property = fc.property(sessions, (records) => {
    const trace = traceOf(records);
    const steps = expectedSteps(records);
    const kept = allSteps(trace).filter(({ state }) => state !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(checkpoints);
    expect(stepsOf(trace, stride)).toEqual(seen(steps, stride));
    const shown = steps.map((step, i) => isShown(step, steps[i - 1]));
    expect(allSteps(trace).map(({ isChanged }) => isChanged)).toEqual(shown);
  });
  checkProperty(property, numRuns);
});

/** Returns the state in a form without the chunks of the queue. */
const plainState = ({ conversation, queue, ...state }: ReplayState) => ({
  ...state,
  conversation: toSnapshot(conversation),
  queue: { ...queue, waiting: toList(queue.waiting) },
});

test('rewinds to the state of the engine after any record, with unread messages, applied updates and the fields of the last snapshot', () => {
  checkProperty(
    fc.property(anyRecords(), fc.nat(30), (records, rewound) => {
      const count = Math.min(rewound, records.length);
      const trace = copyTrace(traceOf(records), count);
      const engine = createParleyEngine();
      records.slice(0, count).every((record) => engine.take(record));
      expect(plainState(parleyStates(trace)(lastStep(trace)))).toEqual(plainState(engine.state()));
    }),
    50,
  );
});

test('computes the same trace when it is read while it grows, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), fc.array(fc.nat(3000), { maxLength: 5 }), (records, cuts) => {
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
    }),
    60,
  );
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

/** Returns a step whose fields differ from those of its neighbours. */
const stepAt = (step: number): Step => ({
  kind: step % 2 === 0 ? 'received' : 'other',
  t: step / 3,
  record: step,
  taken: 2 ** 32 - 1 - step,
  updates: step + 1,
  waiting: step + 2,
  updateKind: step % 3 === 0 ? undefined : `kind ${step % 3}`,
  isChanged: step % 3 === 0,
  isError: step % 5 === 0,
  isConnected: step % 7 === 0,
  field: step % 11 === 0 ? '1 text' : undefined,
  failure: step % 13 === 0 ? `stack ${step}` : undefined,
  state: step % CHECKPOINT_STEPS === 0 ? parleyApp.initialState : undefined,
});

const fieldsOf = (step: Step | undefined) =>
  step && Object.fromEntries(Object.keys(stepAt(0)).map((name) => [name, Reflect.get(step, name)]));

const allOf = (steps: Steps) => Array.from({ length: steps.length }, (_, i) => fieldsOf(steps.at(i)));

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test.each([0, 4096])('copies the first %i steps; neither list changes the other', (length) => {
  const steps = new Steps();
  for (const step of numbers(0, 5000)) steps.push(stepAt(step));
  const copy = steps.copy(length);
  for (const step of numbers(length, 5500)) copy.push(stepAt(step + CHECKPOINT_STEPS * 1001));
  for (const step of numbers(5000, 5100)) steps.push(stepAt(step));
  expect(allOf(steps)).toEqual(numbers(0, 5100).map(stepAt));
  expect(allOf(copy.copy(length))).toEqual(numbers(0, length).map(stepAt));
});
