import type { Alignment } from './alignSteps.ts';

/** One of the two sessions. */
export type Side = 'a' | 'b';

/** The rows of two aligned sessions. Row 0 is the state before the first step of both. */
export interface Rows {
  readonly count: number;
  /** The step of a session in a row; `undefined` when the row has none. */
  stepIn(side: Side, row: number): number | undefined;
  /** The last step of a session at or before a row: its state there. */
  stepAt(side: Side, row: number): number;
  /** The row of a step. */
  rowOf(side: Side, step: number): number;
}

/** Creates the rows of an alignment. */
export function createRows({ a, b }: Alignment): Rows {
  const steps = { a, b };
  const upTo = { a: upToEach(a), b: upToEach(b) };
  const places = { a: placesOf(a), b: placesOf(b) };
  return {
    count: a.length,
    stepIn: (side, row) => (row > 0 && steps[side][row] === 0 ? undefined : steps[side][row]),
    stepAt: (side, row) => upTo[side][row] ?? 0,
    rowOf: (side, step) => places[side][step] ?? places[side].at(-1) ?? 0,
  };
}

function upToEach(steps: Uint32Array): Uint32Array {
  let last = 0;
  return steps.map((step) => (last = step === 0 ? last : step));
}

function placesOf(steps: Uint32Array): Uint32Array {
  const places = new Uint32Array(1 + steps.reduce((most, step) => Math.max(most, step), 0));
  steps.forEach((step, row) => {
    if (step !== 0) places[step] = row;
  });
  return places;
}
