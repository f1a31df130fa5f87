import { expect, test } from 'vitest';
import { parleyApp } from '../apps/parley.ts';
import { type Step, CHECKPOINT_STEPS, Steps } from './stepTable.ts';

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

/** Returns the fields of all steps. */
const allOf = (steps: Steps) => Array.from({ length: steps.length }, (_, i) => fieldsOf(steps.at(i)));

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test('returns the steps as they were added, and none outside of the list', () => {
  const steps = new Steps();
  for (const step of numbers(0, 9000)) steps.push(stepAt(step));
  expect(allOf(steps)).toEqual(numbers(0, 9000).map(stepAt));
  expect([-1, 9000].map((step) => steps.at(step))).toEqual([undefined, undefined]);
});

test.each([0, 1, 4095, 4096, 4097, 9000])(
  'copies the first %i steps; neither list changes the other',
  (length) => {
    const steps = new Steps();
    for (const step of numbers(0, 9000)) steps.push(stepAt(step));
    const copy = steps.copy(length);
    for (const step of numbers(length, 9500)) copy.push(stepAt(step + CHECKPOINT_STEPS * 1001));
    for (const step of numbers(9000, 9100)) steps.push(stepAt(step));
    expect(allOf(steps)).toEqual(numbers(0, 9100).map(stepAt));
    expect(allOf(copy.copy(length))).toEqual(numbers(0, length).map(stepAt));
  },
);
