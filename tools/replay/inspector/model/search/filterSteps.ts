import type { EditGroup, StepFilter } from '../../protocol/protocol.ts';
import { countBelow, countUpTo } from '../trace/columns.ts';
import { lineCount } from '../trace/lineTable.ts';
import { wireText } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import { CHANGED, KIND, SAME_FIELD, STEP_NUMBER, type Trace, lastStep, traceReader } from '../trace/trace.ts';
import { containsText } from './compiled.ts';

/** The steps that a list shows, in order. */
export interface StepList {
  readonly count: number;
  /** The number of steps that the entries stand for. */
  readonly steps: number;
  /** Returns the step of an entry. */
  at(index: number): number;
  /** Returns the index of the last entry at or before a step; -1 when there is none. */
  indexOf(step: number): number;
  /** Returns the edits that begin at an entry, or for which it stands. */
  editsAt?(index: number): EditGroup | undefined;
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
  const folds = filter.openEdits !== undefined && hasSameField(trace, first, end);
  if (isPlain && !folds) return rangeOf(first, end);
  const matches = filter.text ? yield* matchingRecords(trace, { first, end }, filter.text) : undefined;
  const steps = passing(trace, { first, end, matches, filter });
  return folds ? foldEdits(trace, steps, new Set(filter.openEdits)) : listOf(steps);
}

function rangeOf(first: number, end: number): StepList {
  const count = Math.max(0, end - first);
  return {
    count,
    steps: count,
    at: (index) => first + index,
    indexOf: (step) => Math.max(-1, Math.min(step - first, count - 1)),
  };
}

const listOf = (steps: Uint32Array): StepList => ({
  count: steps.length,
  steps: steps.length,
  at: (index) => steps[index] ?? 0,
  indexOf: (step) => lastAtOrBefore(steps, step),
});

function lastAtOrBefore(steps: Uint32Array, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns whether a step of the range continues an edit. */
function hasSameField({ steps }: Trace, first: number, end: number): boolean {
  const kinds = steps.kinds.all();
  for (let step = first + 1; step < end; step++) if (((kinds[step] ?? 0) & SAME_FIELD) !== 0) return true;
  return false;
}

/**
 * Shows consecutive edits of one field as one entry: the last of them, which has the whole text. The edits that begin at one of the steps `open`
 * stay entries of their own.
 */
function foldEdits(trace: Trace, steps: Uint32Array, open: ReadonlySet<number>): StepList {
  const kinds = trace.steps.kinds.all();
  const continues = (index: number) =>
    steps[index] === (steps[index - 1] ?? -1) + 1 && ((kinds[steps[index] ?? 0] ?? 0) & SAME_FIELD) !== 0;
  // The first and the last step of each entry.
  const firsts = new Uint32Array(steps.length);
  const lasts = new Uint32Array(steps.length);
  const openGroups = new Map<number, number>();
  let count = 0;
  for (let index = 0; index < steps.length;) {
    let next = index + 1;
    while (next < steps.length && continues(next)) next++;
    const first = steps[index] ?? 0;
    const isOpen = next - index > 1 && open.has(first);
    if (isOpen) openGroups.set(first, next - index);
    for (let at = index; at < next; at = isOpen ? at + 1 : next) {
      firsts[count] = steps[at] ?? 0;
      lasts[count++] = steps[isOpen ? at : next - 1] ?? 0;
    }
    index = next;
  }
  const shownFirsts = firsts.slice(0, count);
  return {
    count,
    steps: steps.length,
    at: (index) => lasts[index] ?? 0,
    indexOf: (step) => lastAtOrBefore(shownFirsts, step),
    editsAt(index) {
      const [first = 0, last = 0] = [firsts[index], lasts[index]];
      const length = openGroups.get(first);
      if (length !== undefined) return { first, count: length, isOpen: true };
      return last > first ? { first, count: last - first + 1, isOpen: false } : undefined;
    },
  };
}

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
