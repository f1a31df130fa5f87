import { QUEUE_TICK_MS } from '../limits.ts';
import { roundTime } from '../clock.ts';

/**
 * Returns the tick that releases a frame which was received at `at`, when the previous frame was released at `previous`. Ticks are
 * multiples of 100 ms since the launch and release one update each; a frame that arrives at a tick waits for the next one (contract §5).
 * All times are in milliseconds since the launch.
 */
export const tickFor = (at: number, previous: number): number =>
  Math.max((Math.floor(at / QUEUE_TICK_MS) + 1) * QUEUE_TICK_MS, previous + QUEUE_TICK_MS);

/** Returns the latest tick at or before `at`, in milliseconds since the launch. */
export const tickBefore = (at: number): number => Math.floor(at / QUEUE_TICK_MS) * QUEUE_TICK_MS;

/**
 * Returns the time since a session's launch, of a time of the clock; rounded to microseconds, because more digits would only make captures
 * longer. Records and the queue use the same value.
 */
export const sinceLaunch = (now: number, launchedAt: number): number => roundTime(now - launchedAt);

/**
 * A release at a later tick than the one that follows from the time of receipt and the tick before it, because the program was busy. All times are
 * in milliseconds since the launch.
 */
export interface LateRelease {
  /** When the update was released. */
  readonly t: number;
  /** The update's number in the session, from 1. */
  readonly update: number;
  /** The tick that should have released it. No tick ran from there until `t`. */
  readonly due: number;
  /** The tick that released it. */
  readonly tick: number;
}
