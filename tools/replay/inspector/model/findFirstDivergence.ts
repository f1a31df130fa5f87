import { stateDiff } from '../../diff/stateDiff.ts';
import { type Trace, lastStep } from './trace/trace.ts';
import { conversationAfter, stepOfUpdate } from './trace/traceState.ts';
import { countUpTo } from './trace/growableColumn.ts';
import { linePlace } from './trace/lineTable.ts';
import type { Task } from './trace/task.ts';

interface Traces {
  readonly recorded: Trace;
  readonly edited: Trace;
  /** The number of records at the start that are the same in both traces. */
  readonly kept: number;
}

const PIECE = 5000;

/**
 * Finds the first step of the edited trace after which the conversation differs from the recorded one at that time: the update
 * that causes the difference or, when an update is missing, the current step at that time. Equal conversations stay equal after
 * the same line at the same tick, so conversations are compared only where the updates differ.
 */
export function* findFirstDivergence({ recorded, edited, kept }: Traces): Task<number | undefined> {
  const start = kept === 0 ? 0 : edited.recordSteps.at(kept - 1);
  let [a, b] = [recorded.steps.updates.at(start) + 1, edited.steps.updates.at(start) + 1];
  for (let iteration = 0; ; iteration++) {
    if (iteration % PIECE === 0) yield;
    const [tickA, tickB] = [tickOf(recorded, a), tickOf(edited, b)];
    const t = Math.min(tickA, tickB);
    if (t === Infinity) return undefined;
    const isBoth = tickA === tickB;
    const isSame = isBoth && isSameLine({ recorded, edited }, a, b);
    if (tickA === t) a++;
    if (tickB === t) b++;
    if (isSame || !isDifferent({ recorded, edited }, a - 1, b - 1)) continue;
    return tickB === t ? stepOfUpdate(edited, b - 1) : countUpTo(edited.steps.times, t) - 1;
  }
}

/** Returns the time at which an update was released; `Infinity` when it never was. */
function tickOf(trace: Trace, number: number): number {
  const step = stepOfUpdate(trace, number);
  return step > lastStep(trace) ? Infinity : trace.steps.times.at(step);
}

type Pair = Omit<Traces, 'kept'>;

function isSameLine({ recorded, edited }: Pair, a: number, b: number): boolean {
  const one = linePlace(recorded.lines, recorded.updateRecords.at(a - 1));
  const other = linePlace(edited.lines, edited.updateRecords.at(b - 1));
  return one.chunk === other.chunk && one.start === other.start;
}

const isDifferent = ({ recorded, edited }: Pair, a: number, b: number): boolean =>
  stateDiff(conversationAfter(recorded, a), conversationAfter(edited, b), 1).length > 0;
