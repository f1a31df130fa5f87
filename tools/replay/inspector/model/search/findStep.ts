import type { Requests, Target } from '../../protocol/protocol.ts';
import { type Trace, lastStep } from '../trace/trace.ts';
import { stepOfUpdate } from '../trace/traceState.ts';
import { fieldChangePredicate } from './fieldChangePredicate.ts';
import { countBelow, countUpTo } from '../trace/growableColumn.ts';
import { parseExpression } from './expression.ts';
import { type StepPredicate, framePredicate, messagePredicate } from './recordPredicates.ts';
import { expressionPredicate } from './expressionPredicate.ts';
import type { Task } from '../trace/task.ts';

type Params = Requests['find']['params'];

/** The number of steps between two pauses; a backward search also walks pieces of this size. */
const PIECE = 1024;

/**
 * Finds the nearest step after (or before) `from` that matches the target: an expression where it becomes true, a field where it
 * changes.
 * @throws {SessionError} when the target is not valid.
 */
export function* findStep(trace: Trace, { from, direction, target, to }: Params): Task<number | undefined> {
  const last = lastStep(trace);
  const first = direction === 'forward' ? Math.max(1, from + 1) : Math.max(1, to ?? 1);
  const end = direction === 'forward' ? Math.min(last, to ?? last) + 1 : Math.min(from, last + 1);
  const known = knownStep(trace, target, direction);
  if (known !== undefined) return known >= first && known < end ? known : undefined;
  const range = { first, end };
  const matches = predicateFor(trace, target);
  return direction === 'forward' ? yield* forward(matches, range) : yield* backward(matches, range);
}

/** Returns the step of a target that needs no search. */
function knownStep(trace: Trace, target: Target, direction: Params['direction']): number | undefined {
  if (target.kind === 'update') return stepOfUpdate(trace, Math.max(1, target.number));
  if (target.kind !== 'time') return undefined;
  const { times } = trace.steps;
  return direction === 'forward' ? countBelow(times, target.t) : countUpTo(times, target.t) - 1;
}

function predicateFor(trace: Trace, target: Target): StepPredicate {
  switch (target.kind) {
    case 'expression':
      return expressionPredicate(trace, parseExpression(target.expression));
    case 'change':
      return fieldChangePredicate(trace, target.path);
    case 'frame':
      return framePredicate(trace, target.text);
    case 'message':
      return messagePredicate(trace, target.id);
    case 'update':
    case 'time':
      return () => false;
    default:
      return target satisfies never;
  }
}

interface Range {
  readonly first: number;
  readonly end: number;
}

function* forward(matches: StepPredicate, { first, end }: Range): Task<number | undefined> {
  for (let step = first; step < end; step++) {
    if (matches(step)) return step;
    if (step % PIECE === 0) yield;
  }
  return undefined;
}

/** Searches backward. Predicates take steps in order, so each piece is walked forward and its last match is the nearest. */
function* backward(matches: StepPredicate, { first, end }: Range): Task<number | undefined> {
  for (let pieceEnd = end; pieceEnd > first; pieceEnd -= PIECE) {
    let found: number | undefined;
    for (let step = Math.max(first, pieceEnd - PIECE); step < pieceEnd; step++)
      if (matches(step)) found = step;
    if (found !== undefined) return found;
    yield;
  }
  return undefined;
}
