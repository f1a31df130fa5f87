import { stateDiff } from '../../diff/stateDiff.ts';
import { type Course, lastStep } from './course.ts';
import { conversationAfter, stepOfUpdate } from './courseState.ts';
import { countUpTo } from './growing.ts';
import { placeOf } from './lineTable.ts';
import type { Task } from './task.ts';

interface Courses {
  readonly recorded: Course;
  readonly edited: Course;
  /** So many records are the same in both. */
  readonly kept: number;
}

const PIECE = 5000;

/**
 * The first step of the edited course after which the conversation is not what it was at that time: the update that
 * makes it another, or, where an update is missing, the step at which one then stands. Updates that are the
 * same line at the same tick keep equal what was equal, so conversations are compared only where one of the two has
 * another update.
 */
export function* firstOtherStep({ recorded, edited, kept }: Courses): Task<number | undefined> {
  const start = kept === 0 ? 0 : edited.recordSteps.at(kept - 1);
  let [a, b] = [recorded.steps.updates.at(start) + 1, edited.steps.updates.at(start) + 1];
  for (let turn = 0; ; turn++) {
    if (turn % PIECE === 0) yield;
    const [tickA, tickB] = [tickOf(recorded, a), tickOf(edited, b)];
    const t = Math.min(tickA, tickB);
    if (t === Infinity) return undefined;
    const isBoth = tickA === tickB;
    const isSame = isBoth && isSameLine({ recorded, edited }, a, b);
    if (tickA === t) a++;
    if (tickB === t) b++;
    if (isSame || !isOther({ recorded, edited }, a - 1, b - 1)) continue;
    return tickB === t ? stepOfUpdate(edited, b - 1) : countUpTo(edited.steps.times, t) - 1;
  }
}

/** When an update was released, or `Infinity` when it never was. */
function tickOf(course: Course, number: number): number {
  const step = stepOfUpdate(course, number);
  return step > lastStep(course) ? Infinity : course.steps.times.at(step);
}

type Pair = Omit<Courses, 'kept'>;

function isSameLine({ recorded, edited }: Pair, a: number, b: number): boolean {
  const one = placeOf(recorded.lines, recorded.updateRecords.at(a - 1));
  const other = placeOf(edited.lines, edited.updateRecords.at(b - 1));
  return one.chunk === other.chunk && one.start === other.start;
}

const isOther = ({ recorded, edited }: Pair, a: number, b: number): boolean =>
  stateDiff(conversationAfter(recorded, a), conversationAfter(edited, b), 1).length > 0;
