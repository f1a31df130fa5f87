import { type ActionRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isPath, keysOf, valueDiff } from '../../../diff/valueDiff.ts';
import type { Requests, StepKind, Target } from '../../protocol/protocol.ts';
import { SessionError, updateOf } from '../trace/app.ts';
import { countBelow } from '../trace/columns.ts';
import type { RecordReader } from '../trace/lineTable.ts';
import { type StateAfter, stateReader, valueAfter, valueNames } from '../trace/stateReader.ts';
import { LongList, valueIn } from '../trace/stateTree.ts';
import { isFrameRecord, wireText } from '../trace/steps.ts';
import type { Task } from '../trace/task.ts';
import { type Trace, isRelease, lastStep, stepKindAt, stepOfUpdate, traceReader } from '../trace/trace.ts';
import { type Names, containsText, matchesPattern } from './compiled.ts';
import { connectionName, parseExpression } from './expression.ts';

type Params = Requests['find']['params'];

/** The number of steps of a piece of a backward search. */
const PIECE = 1024;

/**
 * Finds the nearest step after (or before) `from` that matches the target: an expression where it becomes true, a field where it
 * changes. Pauses after each step, because the page ends a worker that needs too long for one.
 * @throws {SessionError} when the target is not valid.
 */
export function* findStep(trace: Trace, { from, direction, target, to }: Params): Task<number | undefined> {
  const range = rangeOf(trace, { from, direction, to });
  const known = knownStep(trace, target, direction);
  if (known !== undefined) return known >= range.first && known < range.end ? known : undefined;
  return yield* nearest(matcher(trace, target, direction), range, direction);
}

/**
 * Finds the nearest step after (or before) `from` that matches one of the targets, as {@link findStep} does.
 * @throws {SessionError} when a target is not valid.
 */
export function* findBreak(
  trace: Trace,
  { from, direction, targets }: Requests['findBreak']['params'],
): Task<Requests['findBreak']['result']> {
  const predicates = targets.map((target) => matcher(trace, target, direction));
  const matches: StepPredicate = (step) => predicates.some((one) => one(step));
  const step = yield* nearest(matches, rangeOf(trace, { from, direction }), direction);
  return step === undefined ? undefined : { step, target: predicates.findIndex((one) => one(step)) };
}

type Searched = Pick<Params, 'from' | 'direction'> & { readonly to?: number | undefined };

/** Returns the steps that are searched. */
function rangeOf(trace: Trace, { from, direction, to }: Searched): Range {
  const last = lastStep(trace);
  return direction === 'forward'
    ? { first: Math.max(1, from + 1), end: Math.min(last, to ?? last) + 1 }
    : { first: Math.max(1, to ?? 1), end: Math.min(from, last + 1) };
}

/** Returns the step of a target that needs no search. A time is that which is shown, to the millisecond. */
function knownStep(trace: Trace, target: Target, direction: Params['direction']): number | undefined {
  if (target.kind === 'update') return stepOfUpdate(trace, Math.max(1, target.number));
  if (target.kind !== 'time') return undefined;
  const { times } = trace.steps;
  return direction === 'forward' ? countBelow(times, target.t - 0.5) : countBelow(times, target.t + 0.5) - 1;
}

function matcher(trace: Trace, target: Target, direction: Params['direction']): StepPredicate {
  if (target.kind !== 'update' && target.kind !== 'time') return predicateFor(trace, target);
  const known = knownStep(trace, target, direction);
  return (step) => step === known;
}

interface Range {
  readonly first: number;
  readonly end: number;
}

const nearest = (matches: StepPredicate, range: Range, direction: Params['direction']) =>
  direction === 'forward' ? forward(matches, range) : backward(matches, range);

function* forward(matches: StepPredicate, { first, end }: Range): Task<number | undefined> {
  for (let step = first; step < end; step++) {
    if (matches(step)) return step;
    yield;
  }
  return undefined;
}

/** Searches backward. Predicates take steps in order, so each piece is walked forward and its last match is the nearest. */
function* backward(matches: StepPredicate, { first, end }: Range): Task<number | undefined> {
  for (let pieceEnd = end; pieceEnd > first; pieceEnd -= PIECE) {
    let found: number | undefined;
    for (let step = Math.max(first, pieceEnd - PIECE); step < pieceEnd; step++) {
      if (matches(step)) found = step;
      yield;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a step matches; fastest when it is called in step order. */
type StepPredicate = (step: number) => boolean;

/**
 * Returns a predicate of the steps that match a target: at which an expression becomes true, at which a field changes, of the frames and actions
 * that contain a text, or of the updates that contain a message.
 * @throws {SessionError} when the target is not valid.
 */
function predicateFor(trace: Trace, target: Exclude<Target, { kind: 'update' | 'time' }>): StepPredicate {
  switch (target.kind) {
    case 'expression':
      return expressionPredicate(trace, target.expression);
    case 'change':
      return changePredicate(trace, target.path);
    case 'frame':
      return framePredicate(trace, target.text);
    case 'message':
      return messagePredicate(trace, target.id);
    default:
      return target satisfies never;
  }
}

/** Returns a predicate of the steps at which an expression becomes true; one that names the step's action, of all steps at which it is true. */
function expressionPredicate(trace: Trace, text: string): StepPredicate {
  const { usesAct, evaluate } = parseExpression(text, namesOf(trace));
  const stateAt = stateReader(trace);
  const isTrueAt = (step: number) => evaluate({ step, state: stateAt(step) });
  if (usesAct) return isTrueAt;
  let known: { readonly step: number; readonly isTrue: boolean } | undefined;
  return (step) => {
    const before = known?.step === step - 1 ? known.isTrue : isTrueAt(step - 1);
    known = { step, isTrue: isTrueAt(step) };
    return known.isTrue && !before;
  };
}

/** Returns the names that an expression about a session can use. */
function namesOf(trace: Trace): Names {
  const { updates, times } = trace.steps;
  const read = traceReader(trace);
  const valueOf = (name: string) => ({
    get: (after: StateAfter) => valueAfter(trace, name, after),
    usesState: true,
  });
  const names = valueNames(trace).filter((name) => name !== 'clock');
  return {
    ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
    connection: connectionName(({ state }) => state.connection),
    updates: { get: ({ step }) => updates.at(step), usesState: true },
    // Seconds, to the millisecond, as every part of the inspector shows a time.
    time: { get: ({ step }) => Math.round(times.at(step)) / 1000, usesState: true },
    act: { get: ({ step }) => actAt(trace, step, read), usesState: true, usesAct: true },
  };
}

/** Returns the action of a step, with the number of the window whose action it is; `undefined` when the step is not one. */
function actAt(trace: Trace, step: number, read: RecordReader): object | undefined {
  if (step === 0 || stepKindAt(trace, step) !== 'action') return undefined;
  const record = read(trace.steps.records.at(step));
  if (!isKnown(record) || record.type !== 'action') return undefined;
  const { action, window }: ActionRecord = record;
  return { ...action, ...(window !== undefined && { window }) };
}

/** Returns a predicate of the steps at which the value at a path of the state changes. */
function changePredicate(trace: Trace, path: string): StepPredicate {
  if (!isPath(path))
    throw new SessionError(`“${path}” is not a path; a path is written like messages[3].content[0].text.`);
  const names = valueNames(trace);
  const name = names.find((one) => one === keysOf(path)[0]);
  if (name === undefined)
    throw new SessionError(`“${path}” is not a path of the state; a path begins with ${names.join(', ')}.`);
  const stateAt = stateReader(trace);
  const valueAt = (step: number) => {
    const value = valueIn({ [name]: valueAfter(trace, name, { step, state: stateAt(step) }) }, path);
    return value instanceof LongList ? value.plain() : value;
  };
  return (step) => isDifferent(valueAt(step - 1), valueAt(step));
}

const isDifferent = (before: unknown, after: unknown): boolean =>
  before !== after && valueDiff(before, after).length > 0;

const PATTERN = /^\/(.+)\/([a-z]*)$/s;

const SEARCHED: ReadonlySet<StepKind> = new Set<StepKind>(['received', 'rejected', 'sent', 'action']);

/** Returns a predicate of the frames and of the records of actions that contain the text, ignoring case; `/…/` is a regular expression. */
function framePredicate(trace: Trace, text: string): StepPredicate {
  const [, source, flags = ''] = PATTERN.exec(text) ?? [];
  const matches =
    source === undefined ? containsText(text) : matchesPattern(source, flags.replace(/[gy]/g, ''));
  const read = traceReader(trace);
  return (step) => {
    if (!SEARCHED.has(stepKindAt(trace, step))) return false;
    const index = trace.steps.records.at(step);
    return matches(wireText(trace, read(index), index));
  };
}

/** Returns a predicate of the updates that contain a message with this id. */
function messagePredicate(trace: Trace, id: string): StepPredicate {
  const { app } = trace;
  if (app.messageIds === undefined) throw new SessionError('Only sessions of Parley have messages.');
  const read = traceReader(trace);
  return (step) => {
    if (!isRelease(trace, step)) return false;
    const record = read(trace.steps.records.at(step));
    return isFrameRecord(record) && app.messageIds?.(updateOf(app, record)).includes(id) === true;
  };
}
