import { isKnown } from '#shared/capture/captureFormat.ts';
import { isDifferent, valueReader } from '../trace/valuePath.ts';
import type { StepKind } from '../trace/stepKinds.ts';
import { SessionError, updateOf } from '../trace/app.ts';
import { type StateAfter, stateReader, valueAfter, valueNames } from '../trace/stateReader.ts';
import { isFrameRecord, wireText } from '../trace/steps.ts';
import {
  type Trace,
  countWhile,
  isRelease,
  lastStep,
  recordReader,
  stepOf,
  stepOfUpdate,
} from '../trace/trace.ts';
import { type Compiled, connectionOf, matchesPattern, parseExpression } from './expression.ts';
import { containsText } from './filterSteps.ts';

/**
 * The target of a search or of a break: an expression that becomes true, a field that changes, an update that contains the message, a frame or an action that
 * contains the text (`/…/` is a regular expression; `among`: only steps of these kinds), an update with a number, or a time.
 */
export type Target =
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'change'; readonly path: string }
  | { readonly kind: 'message'; readonly id: string }
  | { readonly kind: 'frame'; readonly text: string; readonly among?: readonly StepKind[] }
  | { readonly kind: 'update'; readonly number: number }
  | { readonly kind: 'time'; readonly t: number };

/** A search after (or before) the step `from`. */
export interface Search {
  readonly from: number;
  readonly direction: 'forward' | 'backward';
  /** The last step that is searched. */
  readonly to?: number | undefined;
}

/** The number of steps of a piece of a backward search. */
const PIECE = 1024;

/** Finds the nearest step that matches the target, as {@link findBreak} does. */
export function* findStep(trace: Trace, { target, ...search }: Search & { readonly target: Target }) {
  return (yield* findBreak(trace, { ...search, targets: [target] }))?.step;
}

/**
 * Finds the nearest step after (or before) `from` that matches one of the targets, and the index of that target: an expression where it becomes true, a
 * field where it changes. Pauses after each step, because the page ends a worker that needs too long for one.
 * @throws {SessionError} when a target is not valid.
 */
export function* findBreak(trace: Trace, { from, direction, to, targets }: Breaks) {
  const isForward = direction === 'forward';
  const predicates = targets.map((target) => predicateFor(trace, target, isForward));
  const last = lastStep(trace);
  const first = Math.max(1, isForward ? from + 1 : (to ?? 1));
  const end = isForward ? Math.min(last, to ?? last) + 1 : Math.min(from, last + 1);
  // Predicates take steps in order: a backward search walks each piece forward, and its last match is the nearest.
  const size = isForward ? Infinity : PIECE;
  for (let pieceEnd = end; pieceEnd > first; pieceEnd -= size) {
    let found: Match | undefined;
    for (const match of matchesIn(predicates, Math.max(first, pieceEnd - size), pieceEnd)) {
      if (isForward && match !== undefined) return match;
      found = match ?? found;
      yield;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

type Breaks = Search & { readonly targets: readonly Target[] };

/** A step that matches, and the index of the target that it matches. */
export type Match = Readonly<{ step: number; target: number }>;

/**
 * Walks all steps, starting with `first`; yields each one that matches a target, and for each other one `undefined`.
 * @throws {SessionError} when a target is not valid.
 */
export function* findSteps(trace: Trace, targets: readonly Target[], first: number) {
  const predicates = targets.map((target) => predicateFor(trace, target, true));
  yield* matchesIn(predicates, Math.max(1, first), lastStep(trace) + 1);
}

function* matchesIn(
  predicates: readonly StepPredicate[],
  first: number,
  end: number,
): Generator<Match | undefined, void> {
  for (let step = first; step < end; step++) {
    const target = predicates.findIndex((matches) => matches(step));
    yield target === -1 ? undefined : { step, target };
  }
}

/** Returns whether a step matches; fastest when it is called in step order. */
type StepPredicate = (step: number) => boolean;

/** Returns a predicate of the steps that match a target. @throws {SessionError} when the target is not valid. */
function predicateFor(trace: Trace, target: Target, isForward: boolean): StepPredicate {
  switch (target.kind) {
    case 'expression':
      return expressionPredicate(trace, target.expression);
    case 'change':
      return changePredicate(trace, target.path);
    case 'frame':
      return framePredicate(trace, target);
    case 'message':
      return messagePredicate(trace, target.id);
    case 'update': {
      const known = stepOfUpdate(trace, Math.max(1, target.number));
      return (step) => step === known;
    }
    case 'time': {
      // A time as it is shown, to the millisecond.
      const shown = target.t + (isForward ? -0.5 : 0.5);
      const known = countWhile(trace.steps, ({ t }) => t < shown) - (isForward ? 0 : 1);
      return (step) => step === known;
    }
    default:
      return target satisfies never;
  }
}

/** Returns a predicate of the steps at which an expression becomes true; one that names the step's action, of all steps at which it is true. */
function expressionPredicate(trace: Trace, text: string): StepPredicate {
  const { used, evaluate } = parseExpression(text, namesOf(trace));
  const stateAt = stateReader(trace);
  const isTrueAt = (step: number) =>
    Boolean(
      evaluate({
        step,
        // Not computed for an expression that names only the time, the number of updates or the action.
        get state() {
          return stateAt(step);
        },
      }),
    );
  if (used.has('act')) return isTrueAt;
  let known: { readonly step: number; readonly isTrue: boolean } | undefined;
  return (step) => {
    const before = known?.step === step - 1 ? known.isTrue : isTrueAt(step - 1);
    known = { step, isTrue: isTrueAt(step) };
    return known.isTrue && !before;
  };
}

/** Returns the names that an expression about a session can use. */
function namesOf(trace: Trace): Readonly<Record<string, Compiled>> {
  const read = recordReader(trace);
  const values = valueNames(trace).filter((name) => name !== 'clock');
  return {
    ...Object.fromEntries(
      values.map((name) => [name, (after: StateAfter) => valueAfter(trace, name, after)] as const),
    ),
    connection: connectionOf,
    updates: ({ step }) => stepOf(trace, step).updates,
    // Seconds, to the millisecond, as every part of the inspector shows a time.
    time: ({ step }) => Math.round(stepOf(trace, step).t) / 1000,
    act: ({ step }) => actAt(trace, step, read),
  };
}

/** Returns the action of a step, with the number of the window whose action it is; `undefined` when the step is not one. */
function actAt(trace: Trace, step: number, read: ReturnType<typeof recordReader>): object | undefined {
  const { kind, record: index } = stepOf(trace, step);
  const record = kind === 'action' ? read(index) : undefined;
  if (record === undefined || !isKnown(record) || record.type !== 'action') return undefined;
  const { action, window } = record;
  return { ...action, ...(window !== undefined && { window }) };
}

/** Returns a predicate of the steps at which the value at a path of the state changes. */
function changePredicate(trace: Trace, path: string): StepPredicate {
  const stateAt = stateReader(trace);
  const read = valueReader(trace.app, path);
  return (step) => isDifferent(read(stateAt(step - 1)), read(stateAt(step)));
}

const PATTERN = /^\/(.+)\/([a-z]*)$/s;

const SEARCHED: readonly StepKind[] = ['received', 'rejected', 'sent', 'action'];

/** Returns a predicate of the frames and of the records of actions that contain the text, ignoring case; `/…/` is a regular expression. */
function framePredicate(
  trace: Trace,
  { text, among = SEARCHED }: Extract<Target, { kind: 'frame' }>,
): StepPredicate {
  const [, source, flags = ''] = PATTERN.exec(text) ?? [];
  const matches = source ? matchesPattern(source, flags.replace(/[gy]/g, '')) : containsText(text);
  const read = recordReader(trace);
  return (step) => {
    const { kind, record } = stepOf(trace, step);
    return among.includes(kind) && matches(wireText(trace, read(record), record));
  };
}

/** Returns a predicate of the updates that contain a message with this id. */
function messagePredicate(trace: Trace, id: string): StepPredicate {
  const { app } = trace;
  if (app.messageIds === undefined) throw new SessionError('Only sessions of Parley have messages.');
  const read = recordReader(trace);
  return (step) => {
    const found = stepOf(trace, step);
    const record = read(found.record);
    return (
      isRelease(found) &&
      isFrameRecord(record) &&
      app.messageIds?.(updateOf(app, record)).includes(id) === true
    );
  };
}
