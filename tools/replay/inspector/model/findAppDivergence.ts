import { valueDiff } from '../../diff/valueDiff.ts';
import { appStates } from './trace/appState.ts';
import { countUpTo } from './trace/growableColumn.ts';
import type { Task } from './trace/task.ts';
import { type Trace, lastStep } from './trace/trace.ts';

/** The number of moments between two pauses. */
const PIECE = 500;

/**
 * Finds the first step of an edited trace of another app after which the state differs from the recorded one at that time. States are
 * compared after the last step of each time at which one of the traces has a step.
 */
export function* findAppDivergence(recorded: Trace, edited: Trace): Task<number | undefined> {
  const [recordedAt, editedAt] = [appStates(recorded), appStates(edited)];
  let [a, b] = [0, 0];
  for (let moment = 1; ; moment++) {
    if (moment % PIECE === 0) yield;
    const t = Math.min(timeAfter(recorded, a), timeAfter(edited, b));
    if (t === Infinity) return undefined;
    [a, b] = [countUpTo(recorded.steps.times, t) - 1, countUpTo(edited.steps.times, t) - 1];
    if (valueDiff(recordedAt(a), editedAt(b)).length > 0) return b;
  }
}

/** Returns the time of the step after this one; `Infinity` when there is none. */
const timeAfter = (trace: Trace, step: number): number =>
  step < lastStep(trace) ? trace.steps.times.at(step + 1) : Infinity;
