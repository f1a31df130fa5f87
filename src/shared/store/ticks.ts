import { QUEUE_TICK_MS } from '../limits.ts';

/**
 * Returns the tick that releases a frame which was received at `at`, when the previous frame was released at `previous`. Ticks are
 * multiples of 100 ms since the launch and release one update each; a frame that arrives at a tick waits for the next one (contract §5).
 * All times are in milliseconds since the launch.
 */
export const tickFor = (at: number, previous: number): number =>
  Math.max((Math.floor(at / QUEUE_TICK_MS) + 1) * QUEUE_TICK_MS, previous + QUEUE_TICK_MS);

/** Returns the latest tick at or before `at`, in milliseconds since the launch. */
export const tickBefore = (at: number): number => Math.floor(at / QUEUE_TICK_MS) * QUEUE_TICK_MS;
