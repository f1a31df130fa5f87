import type { AlignBy } from '../protocol/pair.ts';
import { conversationWalk } from './search/expressionPredicate.ts';
import { changesOf } from './stepView.ts';
import { isRelease } from './trace/stepRow.ts';
import type { Task } from './trace/task.ts';
import { type Trace, lastStep } from './trace/trace.ts';
import { textHash } from './stepKeys.ts';

interface Params {
  readonly from: number;
  readonly to: number;
  readonly by: AlignBy;
}

/** The number of steps between two pauses. */
const PIECE = 100;

/**
 * Returns a hash of what each step from `from` up to `to` (exclusive) changed; 0 when it changed nothing. Sessions with the same
 * changes have the same states. For the same session under two revisions, the time of an update's tick counts too.
 */
export function* stepDeltas(trace: Trace, { from, to, by }: Params): Task<Uint32Array> {
  const first = Math.max(1, from);
  const end = Math.min(to, lastStep(trace) + 1);
  const deltas = new Uint32Array(Math.max(0, end - first));
  const conversationAt = conversationWalk(trace);
  let before = conversationAt(first - 1);
  for (let step = first; step < end; step++) {
    const after = conversationAt(step);
    const { diff } = changesOf(trace, { step, base: step - 1, before, after });
    const tick = by === 'record' && isRelease(trace, step) ? trace.steps.times.at(step) : undefined;
    if (diff.length > 0 || tick !== undefined) deltas[step - first] = textHash(textOf([tick, diff])) | 1;
    before = after;
    if (step % PIECE === 0) yield;
  }
  return deltas;
}

/** Encodes a value; unlike plain JSON, it distinguishes a missing value from `null`. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === undefined ? { missing: true } : one));
