import type { StepFilter } from '../../protocol/protocol.ts';
import { countBelow, countUpTo } from '../trace/columns.ts';
import { lineCount } from '../trace/lineTable.ts';
import { wireText } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import { CHANGED, KIND, STEP_NUMBER, type Trace, lastStep, traceReader } from '../trace/trace.ts';
import { containsText } from './compiled.ts';

/** The steps that a list shows, in order. */
export interface StepList {
  readonly count: number;
  /** Returns the step of an entry. */
  at(index: number): number;
  /** Returns the index of the last entry at or before a step; -1 when there is none. */
  indexOf(step: number): number;
}

/** The number of records that are read between two pauses. */
const PIECE = 1000;

/** Finds the steps that match a filter; pauses between pieces of the capture when it has to read them. */
export function* filterSteps(trace: Trace, filter: StepFilter): Task<StepList> {
  const { times } = trace.steps;
  const first = Math.max(1, countBelow(times, filter.from ?? 0));
  const last = Math.min(filter.last ?? Infinity, lastStep(trace));
  const end = Math.min(countUpTo(times, filter.to ?? Infinity), last + 1);
  const isPlain = !filter.text && filter.kinds === undefined && !filter.changedOnly;
  if (isPlain) return rangeOf(first, end);
  const matches = filter.text ? yield* matchingRecords(trace, { first, end }, filter.text) : undefined;
  return listOf(passing(trace, { first, end, matches, filter }));
}

function rangeOf(first: number, end: number): StepList {
  const count = Math.max(0, end - first);
  return {
    count,
    at: (index) => first + index,
    indexOf: (step) => Math.max(-1, Math.min(step - first, count - 1)),
  };
}

const listOf = (steps: Uint32Array): StepList => ({
  count: steps.length,
  at: (index) => steps[index] ?? 0,
  indexOf(step) {
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((steps[middle] ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  },
});

interface Steps {
  readonly first: number;
  readonly end: number;
}

/** Computes for each record of the range whether its text (see {@link wireText}) contains another one; an update has the text of its frame. */
function* matchingRecords(trace: Trace, { first, end }: Steps, text: string): Task<Uint8Array> {
  const matches = new Uint8Array(lineCount(trace.lines));
  const isMatch = containsText(text);
  const read = traceReader(trace);
  const { from, to } = boundsOf(trace.steps.records.all().subarray(first, end));
  for (let record = from; record <= to; record++) {
    if (isMatch(wireText(trace, read(record), record))) matches[record] = 1;
    if (record % PIECE === 0) yield;
  }
  return matches;
}

function boundsOf(records: ArrayLike<number>): { from: number; to: number } {
  let [from, to] = [Infinity, -1];
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? 0;
    if (record < from) from = record;
    if (record > to) to = record;
  }
  return { from, to };
}

interface Passing extends Steps {
  readonly matches: Uint8Array | undefined;
  readonly filter: StepFilter;
}

function passing({ steps }: Trace, { first, end, matches, filter }: Passing): Uint32Array {
  const { kinds: wanted, changedOnly } = filter;
  const [kinds, records] = [steps.kinds.all(), steps.records.all()];
  const isWanted = new Uint8Array(KIND + 1).fill(wanted === undefined ? 1 : 0);
  for (const kind of wanted ?? []) isWanted[STEP_NUMBER[kind]] = 1;
  const found = new Uint32Array(Math.max(0, end - first));
  let count = 0;
  for (let step = first; step < end; step++) {
    const kind = kinds[step] ?? 0;
    if (isWanted[kind & KIND] === 0) continue;
    if (changedOnly && (kind & CHANGED) === 0) continue;
    if (matches !== undefined && matches[records[step] ?? 0] === 0) continue;
    found[count++] = step;
  }
  return found.slice(0, count);
}
