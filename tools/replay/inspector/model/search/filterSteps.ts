import type { StepKind } from '../trace/stepKinds.ts';
import { type EditGroup, wireText } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import {
  type Trace,
  countWhile,
  firstStepAt,
  lastStep,
  recordReader,
  stepAtTime,
  stepOf,
} from '../trace/trace.ts';

/** Selects the steps of a list; omitted fields do not filter. */
export interface StepFilter {
  readonly text?: string;
  readonly kinds?: readonly StepKind[];
  readonly changedOnly?: boolean;
  /** Shows consecutive edits of one field as one row, except those that begin at these steps. */
  readonly openEdits?: readonly number[];
  /** The last step that can be in the list: more can have been read than the page knows of. */
  readonly last?: number;
  /** A range of time. */
  readonly from?: number;
  readonly to?: number;
}

/** The steps that a list shows, in order. */
export interface StepList {
  /** The first and the last step of each entry. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
  /** The number of steps that the entries stand for. */
  readonly steps: number;
  /** The consecutive edits for which an entry stands, or of which it is one, by the index of the entry. */
  readonly edits: ReadonlyMap<number, EditGroup>;
}

/** The number of steps between two pauses. */
const PIECE = 1000;

/** Finds the steps that match a filter. */
export function* filterSteps(trace: Trace, filter: StepFilter): Task<StepList> {
  const { from = 0, to = Infinity, last = Infinity, kinds, changedOnly = false } = filter;
  const end = Math.min(stepAtTime(trace, to), last, lastStep(trace));
  const matches = filter.text ? recordMatcher(trace, filter.text) : undefined;
  const found: number[] = [];
  for (let step = firstStepAt(trace, from); step <= end; step++) {
    if (step % PIECE === 0) yield;
    const { kind, isChanged, record } = stepOf(trace, step);
    if (kinds?.includes(kind) === false || (changedOnly && !isChanged)) continue;
    if (matches === undefined || matches(record)) found.push(step);
  }
  return yield* listOf(trace, found, filter.openEdits);
}

/** Returns the index of the last entry at or before a step; -1 when there is none. */
export const entryOf = ({ firsts }: StepList, step: number): number =>
  countWhile(firsts, (first) => first <= step) - 1;

/** Returns a function that tells whether a text contains a part, ignoring case. */
export function containsText(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

/** Returns whether the text of a record (see {@link wireText}) contains another one; an update has the record of its frame, which is read once. */
function recordMatcher(trace: Trace, text: string): (record: number) => boolean {
  const known: boolean[] = [];
  const isMatch = containsText(text);
  const read = recordReader(trace);
  return (record) => (known[record] ??= isMatch(wireText(trace, read(record), record)));
}

/**
 * Shows consecutive edits of one field as one entry: the last of them, which has the whole text. The edits that begin at one of the steps `open`
 * stay entries of their own; without `open`, all do.
 */
function* listOf(trace: Trace, found: readonly number[], open?: readonly number[]): Task<StepList> {
  const firsts: number[] = [];
  const lasts: number[] = [];
  const edits = new Map<number, EditGroup>();
  for (let index = 0; index < found.length;) {
    if (firsts.length % PIECE === PIECE - 1) yield;
    const first = found[index] ?? 0;
    const { field } = stepOf(trace, first);
    let count = 1;
    if (open !== undefined && field !== undefined)
      while (found[index + count] === first + count && stepOf(trace, first + count).field === field) count++;
    const isOpen = open?.includes(first) === true;
    for (let step = first; step < first + count; step += isOpen ? 1 : count) {
      if (count > 1) edits.set(firsts.length, { first, count, isOpen });
      firsts.push(step);
      lasts.push(isOpen ? step : first + count - 1);
    }
    index += count;
  }
  return { firsts, lasts, steps: found.length, edits };
}
