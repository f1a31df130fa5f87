import type { Reducer } from '@reduxjs/toolkit';
import { type Vector, append, emptyVector, filledVector, itemAt, vectorOf } from '../conversation/vector.ts';
import { isOfType } from '../isOfType.ts';
import { perSession } from './session.ts';
import { type ReleasedUpdate, updateApplied } from '../actions/sessionActions.ts';

/**
 * When each message arrived: the tick of its update, in milliseconds since the session's launch. `null` for a message that a snapshot
 * contained and that was not known before.
 */
export type Arrivals = Vector<number | null>;

/** Reduces the arrivals: one for each message of the conversation, at its index. */
export const arrivalsReducer: Reducer<Arrivals> = perSession((arrivals = emptyVector(), action) =>
  isOfType(action, updateApplied) ? withArrivals(arrivals, action.payload) : arrivals,
);

/** Returns the arrivals after an applied update. */
export function withArrivals(
  arrivals: Arrivals,
  { update, tick, known }: Pick<ReleasedUpdate, 'update' | 'tick' | 'known'>,
): Arrivals {
  if (update.kind === 'message') return append<number | null>(arrivals, tick);
  if (update.kind !== 'snapshot') return arrivals;
  return arrivalsOfSnapshot(arrivals, { length: update.frame.messages?.length ?? 0, known, tick });
}

/** A snapshot that was applied at `tick`. */
interface SnapshotArrival extends Pick<ReleasedUpdate, 'tick'> {
  /** The number of its messages, and how many of the first ones the conversation contained before. */
  readonly length: number;
  readonly known: number | undefined;
}

/**
 * Returns the arrivals after a snapshot. Known messages keep theirs. When it repeats the whole conversation, as after a reconnect, its further
 * messages arrived with it.
 */
export function arrivalsOfSnapshot(arrivals: Arrivals, { length, known, tick }: SnapshotArrival): Arrivals {
  if (!known) return filledVector<number | null>(length, null);
  const further = known === arrivals.length ? tick : null;
  return vectorOf(Array.from({ length }, (_, i) => (i < known ? (itemAt(arrivals, i) ?? null) : further)));
}
