import type { EditGroup, StepFilter, StepKind } from '../../protocol/protocol.ts';
import { Column, countBelow, countUpTo } from '../trace/columns.ts';
import { lineCount, recordReader } from '../trace/lineTable.ts';
import { wireText } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import { CHANGED, KIND, SAME_FIELD, STEP_NUMBER, type Trace, lastStep } from '../trace/trace.ts';

/** The steps that a list shows, in order. */
export interface StepList {
  readonly count: number;
  /** The number of steps that the entries stand for. */
  readonly steps: number;
  /** Returns the step of an entry. */
  at(index: number): number;
  /** Returns the index of the last entry at or before a step; -1 when there is none. */
  indexOf(step: number): number;
  /** Returns the consecutive edits for which an entry stands, or of which it is one. */
  editsAt?(index: number): EditGroup | undefined;
}

/** The number of steps between two pauses. */
const PIECE = 1000;

/** Finds the steps that match a filter. */
export function* filterSteps(trace: Trace, filter: StepFilter): Task<StepList> {
  const { kinds, records, times } = trace.steps;
  const first = Math.max(1, countBelow(times, filter.from ?? 0));
  const last = Math.min(filter.last ?? Infinity, lastStep(trace));
  const end = Math.min(countUpTo(times, filter.to ?? Infinity), last + 1);
  const wanted = wantedKinds(filter.kinds);
  const matches = filter.text ? recordMatcher(trace, filter.text) : undefined;
  const found = new Column(Uint32Array);
  for (let step = first; step < end; step++) {
    if (step % PIECE === 0) yield;
    const kind = kinds.at(step);
    if (wanted[kind & KIND] === 0 || (filter.changedOnly && (kind & CHANGED) === 0)) continue;
    if (matches === undefined || matches(records.at(step))) found.push(step);
  }
  const folds = filter.openEdits !== undefined && hasSameField(trace, first, end);
  return folds ? foldEdits(trace, found, new Set(filter.openEdits)) : listOf(found);
}

const listOf = (steps: Column): StepList => ({
  count: steps.length,
  steps: steps.length,
  at: (index) => steps.at(index),
  indexOf: (step) => countUpTo(steps, step) - 1,
});

/** Returns 1 at the number of each kind that is wanted. */
function wantedKinds(kinds: readonly StepKind[] | undefined): Uint8Array {
  const wanted = new Uint8Array(KIND + 1).fill(kinds === undefined ? 1 : 0);
  for (const kind of kinds ?? []) wanted[STEP_NUMBER[kind]] = 1;
  return wanted;
}

/** Returns a function that tells whether a text contains a part, ignoring case. */
export function containsText(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

const [UNKNOWN, OTHER, MATCH] = [0, 1, 2];

/** Returns whether the text of a record (see {@link wireText}) contains another one; an update has the record of its frame, which is read once. */
function recordMatcher(trace: Trace, text: string): (record: number) => boolean {
  const known = new Uint8Array(lineCount(trace));
  const isMatch = containsText(text);
  const read = recordReader(trace);
  return (record) => {
    if (known[record] === UNKNOWN)
      known[record] = isMatch(wireText(trace, read(record), record)) ? MATCH : OTHER;
    return known[record] === MATCH;
  };
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
function foldEdits(trace: Trace, steps: Column, open: ReadonlySet<number>): StepList {
  const { kinds } = trace.steps;
  const continues = (index: number) =>
    steps.at(index) === steps.at(index - 1) + 1 && (kinds.at(steps.at(index)) & SAME_FIELD) !== 0;
  // The first and the last step of each entry.
  const firsts = new Column(Uint32Array);
  const lasts = new Column(Uint32Array);
  const opened: EditGroup[] = [];
  for (let index = 0; index < steps.length;) {
    let next = index + 1;
    while (next < steps.length && continues(next)) next++;
    const first = steps.at(index);
    const isOpen = next - index > 1 && open.has(first);
    if (isOpen) opened.push({ first, count: next - index, isOpen });
    for (let at = index; at < next; at = isOpen ? at + 1 : next) {
      firsts.push(steps.at(at));
      lasts.push(steps.at(isOpen ? at : next - 1));
    }
    index = next;
  }
  return {
    count: firsts.length,
    steps: steps.length,
    at: (index) => lasts.at(index),
    indexOf: (step) => countUpTo(firsts, step) - 1,
    editsAt(index) {
      const [first, last] = [firsts.at(index), lasts.at(index)];
      if (last > first) return { first, count: last - first + 1, isOpen: false };
      return opened.find((one) => first >= one.first && first < one.first + one.count);
    },
  };
}
