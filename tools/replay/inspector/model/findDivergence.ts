import { linePlace } from './trace/lineTable.ts';
import { stateReader } from './trace/stateReader.ts';
import type { Task } from './trace/task.ts';
import { type Trace, isRelease, lastStep, stepAfter, stepAtTime } from './trace/trace.ts';

/** The number of moments between two pauses. */
const PIECE = 500;

/**
 * Finds the first step of an edited trace after which the content differs from the recorded one at that time: the update that causes the
 * difference or, when an update is missing, the current step at that time. The same lines at the same time change equal contents equally, so
 * contents are compared only where the steps differ.
 * @param kept the number of records at the start that are the same in both traces.
 */
export function* findDivergence(recorded: Trace, edited: Trace, kept: number): Task<number | undefined> {
  const [recordedAt, editedAt] = [stateReader(recorded), stateReader(edited)];
  let [a, b] = [stepAfter(recorded, kept), stepAfter(edited, kept)];
  for (let moment = 1; ; moment++) {
    if (moment % PIECE === 0) yield;
    const t = Math.min(timeAfter(recorded, a), timeAfter(edited, b));
    if (t === Infinity) return undefined;
    const before = { a, b };
    [a, b] = [stepAtTime(recorded, t), stepAtTime(edited, t)];
    if (areSameSteps({ recorded, edited }, before, { a, b })) continue;
    if (edited.app.contentChanges(recordedAt(a), editedAt(b), 1).length === 0) continue;
    for (let step = b; step > before.b; step--) if (isRelease(edited, step)) return step;
    return b;
  }
}

/** Returns the time of the step after this one; `Infinity` when there is none. */
const timeAfter = (trace: Trace, step: number): number =>
  step < lastStep(trace) ? trace.steps.times.at(step + 1) : Infinity;

interface Traces {
  readonly recorded: Trace;
  readonly edited: Trace;
}

interface Steps {
  readonly a: number;
  readonly b: number;
}

/** Returns whether both traces have the same steps after `before`, up to `end`. */
function areSameSteps({ recorded, edited }: Traces, before: Steps, end: Steps): boolean {
  if (end.a - before.a !== end.b - before.b) return false;
  for (let i = 1; i <= end.a - before.a; i++)
    if (!isSameStep(recorded, before.a + i, { trace: edited, step: before.b + i })) return false;
  return true;
}

interface Other {
  readonly trace: Trace;
  readonly step: number;
}

/** Returns whether two steps have the same line and the same kind. */
function isSameStep(trace: Trace, step: number, other: Other): boolean {
  if (trace.steps.kinds.at(step) !== other.trace.steps.kinds.at(other.step)) return false;
  const place = linePlace(trace.lines, trace.steps.records.at(step));
  const otherPlace = linePlace(other.trace.lines, other.trace.steps.records.at(other.step));
  return place.chunk === otherPlace.chunk && place.start === otherPlace.start;
}
