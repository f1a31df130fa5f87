import type { Target } from '../../protocol/protocol.ts';
import type { Requests } from '../../protocol/requests.ts';
import { countBelow } from '../trace/columns.ts';
import type { Task } from '../trace/task.ts';
import { type Trace, lastStep, stepOfUpdate } from '../trace/trace.ts';
import { type StepPredicate, predicateFor } from './predicates.ts';

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
