import type { AlignBy } from '../protocol/pair.ts';
import { MOST_CHANGES, type Session } from './trace/session.ts';
import { isRelease } from './trace/stepRow.ts';
import type { Task } from './trace/task.ts';
import { lastStep } from './trace/trace.ts';
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
export function* stepDeltas(session: Session, { from, to, by }: Params): Task<Uint32Array> {
  const { trace } = session;
  const first = Math.max(1, from);
  const end = Math.min(to, lastStep(trace) + 1);
  const deltas = new Uint32Array(Math.max(0, end - first));
  const changesOf = session.changesOfSteps();
  for (let step = first; step < end; step++) {
    const diff = changesOf(step).slice(0, MOST_CHANGES);
    const tick = by === 'record' && isRelease(trace, step) ? trace.steps.times.at(step) : undefined;
    if (diff.length > 0 || tick !== undefined) deltas[step - first] = textHash(textOf([tick, diff])) | 1;
    if (step % PIECE === 0) yield;
  }
  return deltas;
}

/** Encodes a value; unlike plain JSON, it distinguishes a missing value from `null`. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === undefined ? { missing: true } : one));
