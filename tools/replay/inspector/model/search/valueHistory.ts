import { formatValue } from '../../../base/visibleText.ts';
import { appendedPart } from '../../../diff/appendedPart.ts';
import { keysOf } from '../../../diff/valueDiff.ts';
import { type StateReader, stateReader } from '../trace/stateReader.ts';
import { CHECKPOINT_STEPS, intervalOf } from '../trace/stepTable.ts';
import { LongList, cut, previewOf } from '../trace/stateTree.ts';
import { likeness, rowReader, typeOf } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import { type Trace, lastStep, recordReader, stepOf } from '../trace/trace.ts';
import { isDifferent, valueReader } from '../trace/valuePath.ts';

/** A part of the history of a value. */
interface Wanted {
  readonly path: string;
  /** The last step that is searched; by default the last one of the session. */
  readonly to?: number | undefined;
  /** The search stops after the interval in which it has found this number of changes; by default it finds all. */
  readonly most?: number;
}

/** A change of a value. */
export type HistoryEntry = ReturnType<ReturnType<typeof entryReader>>;

/**
 * Finds the steps that changed the value at a path, the newest first. `next`: the step up to which an earlier part is searched; `undefined` at the
 * beginning of the session. Only intervals in which the value may have changed are replayed.
 * @throws {SessionError} when the path is not one of the state.
 */
export function* valueHistory(trace: Trace, { path, to = Infinity, most = Infinity }: Wanted) {
  const stateAt = stateReader(trace);
  const changes = changeFinder(trace, path, stateAt);
  const entryOf = entryReader(trace, stateAt);
  const last = Math.min(to, lastStep(trace));
  const entries: HistoryEntry[] = [];
  if (last < 1) return { entries, next: undefined };
  for (let interval = intervalOf(last); interval >= 0; interval--) {
    yield;
    for (const change of changes(interval).toReversed())
      if (change.step <= last) entries.push(entryOf(change));
    const next = interval * CHECKPOINT_STEPS;
    if (entries.length >= most && next > 0) return { entries, next };
  }
  return { entries, next: undefined };
}

/** A step that changed a value, and the value around it. */
type ValueChange = Readonly<{ step: number; before: unknown; after: unknown }>;

/** Returns a function that finds the steps of an interval that change the value at a path. */
function changeFinder(trace: Trace, path: string, stateAt: StateReader) {
  const { app, steps } = trace;
  const read = valueReader(app, path);
  const [name = '', item = ''] = keysOf(path);
  const index = app.names.indexOf(name);
  const position = /^\d+$/.test(item) ? Number(item) : undefined;
  const listAt = (step: number): LongList | undefined => {
    const state = steps.at(step)?.state;
    const list = state && app.value(name, state);
    return list instanceof LongList ? list : undefined;
  };
  const isKept = (interval: number): boolean => {
    if (app.keptLists?.has(name) !== true || position === undefined) return false;
    const first = interval * CHECKPOINT_STEPS;
    const [before, after] = [listAt(first), listAt(first + CHECKPOINT_STEPS)];
    // A list that does not reach the item yet has not been replaced when its first item is the same.
    const at = after === undefined || position < after.length ? position : 0;
    const kept = before?.itemAt(at);
    return kept !== undefined && kept === after?.itemAt(at);
  };
  return (interval: number): ValueChange[] => {
    const found: ValueChange[] = [];
    if ((index >= 0 && !steps.isTouched(interval, index)) || isKept(interval)) return found;
    const first = interval * CHECKPOINT_STEPS;
    let state = stateAt(first);
    for (let step = first + 1; step <= Math.min(first + CHECKPOINT_STEPS, lastStep(trace)); step++) {
      const before = state;
      state = stateAt(step);
      if (before === state || (index >= 0 && app.part(name, before) === app.part(name, state))) continue;
      const change = { step, before: read(before), after: read(state) };
      if (isDifferent(change.before, change.after)) found.push(change);
    }
    return found;
  };
}

/** The maximum length of a shown value, in characters. */
const WIDEST = 400;

/** Returns a function that describes a step as a change of a value: the step as a list shows it, and the value before and after it. */
function entryReader(trace: Trace, stateAt: StateReader) {
  const rowAt = rowReader(trace, stateAt);
  return ({ step, before, after }: ValueChange) => {
    const appended = appendedPart({ before, after });
    return {
      row: rowAt(step),
      before: shown(before),
      after: shown(after),
      ...(appended && { appended: { end: appended.end, added: cut(appended.added, WIDEST) } }),
    };
  };
}

/** Formats a value; of an object or a list, its beginning. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? previewOf(value) : formatValue(value, WIDEST);

/** The number of steps that are looked at before a change. */
const MOST_BEFORE = 20_000;

/** Finds the nearest step before a change that is of the same kind and left the value alone; `undefined` when there is none. */
export function* unlikeStep(
  trace: Trace,
  { path, step }: { readonly path: string; readonly step: number },
): Task<number | undefined> {
  const stateAt = stateReader(trace);
  const read = valueReader(trace.app, path);
  const recordAt = recordReader(trace);
  const likenessOf = (one: number): string => {
    const { kind, updateKind, record } = stepOf(trace, one);
    return `${likeness(kind)} ${updateKind ?? typeOf(recordAt(record))}`;
  };
  const wanted = likenessOf(step);
  for (let earlier = step - 1; earlier > Math.max(0, step - MOST_BEFORE); earlier--) {
    if (likenessOf(earlier) !== wanted) continue;
    yield;
    if (!isDifferent(read(stateAt(earlier - 1)), read(stateAt(earlier)))) return earlier;
  }
  return undefined;
}
