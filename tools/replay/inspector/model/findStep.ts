import type { Requests, Target } from '../protocol.ts';
import { type Course, lastStep } from './course.ts';
import { stepOfUpdate } from './courseState.ts';
import { changeTest } from './changeTest.ts';
import { countBelow, countUpTo } from './growing.ts';
import { parseExpression } from './expression.ts';
import { type StepTest, frameTest, messageTest } from './recordTests.ts';
import { expressionTest } from './stateTests.ts';
import type { Task } from './task.ts';

type Takes = Requests['find']['takes'];

/** Steps between two pauses, and of a walk backward between two beginnings. */
const PIECE = 1024;

/**
 * The nearest step beyond one at which a target is met: an expression where it becomes true, a field where it changes.
 * @throws {SessionError} when the target cannot be read.
 */
export function* findStep(course: Course, { from, direction, target, to }: Takes): Task<number | undefined> {
  const last = lastStep(course);
  const first = direction === 'forward' ? Math.max(1, from + 1) : Math.max(1, to ?? 1);
  const end = direction === 'forward' ? Math.min(last, to ?? last) + 1 : Math.min(from, last + 1);
  const known = knownStep(course, target, direction);
  if (known !== undefined) return known >= first && known < end ? known : undefined;
  const range = { first, end };
  const test = testOf(course, target);
  return direction === 'forward' ? yield* forward(test, range) : yield* backward(test, range);
}

/** Steps that need no search. */
function knownStep(course: Course, target: Target, direction: Takes['direction']): number | undefined {
  if (target.kind === 'update') return stepOfUpdate(course, Math.max(1, target.number));
  if (target.kind !== 'time') return undefined;
  const { times } = course.steps;
  return direction === 'forward' ? countBelow(times, target.t) : countUpTo(times, target.t) - 1;
}

function testOf(course: Course, target: Target): StepTest {
  switch (target.kind) {
    case 'expression':
      return expressionTest(course, parseExpression(target.expression));
    case 'change':
      return changeTest(course, target.path);
    case 'frame':
      return frameTest(course, target.text);
    case 'message':
      return messageTest(course, target.id);
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

function* forward(test: StepTest, { first, end }: Range): Task<number | undefined> {
  for (let step = first; step < end; step++) {
    if (test(step)) return step;
    if (step % PIECE === 0) yield;
  }
  return undefined;
}

/** Tests look at steps in order, so a piece is walked forward, and its last hit is the nearest. */
function* backward(test: StepTest, { first, end }: Range): Task<number | undefined> {
  for (let pieceEnd = end; pieceEnd > first; pieceEnd -= PIECE) {
    let found: number | undefined;
    for (let step = Math.max(first, pieceEnd - PIECE); step < pieceEnd; step++) if (test(step)) found = step;
    if (found !== undefined) return found;
    yield;
  }
  return undefined;
}
