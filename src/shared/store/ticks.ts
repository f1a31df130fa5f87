import { QUEUE_TICK_MS } from '../limits.ts';

/**
 * The tick at which a frame received at `at` is released when the one before it was released at `previous`: ticks are
 * multiples of 100 ms since the launch, one update each; a frame that arrives at a tick waits for the next
 * (contract §5). Milliseconds since the launch.
 */
export const tickFor = (at: number, previous: number): number =>
  Math.max((Math.floor(at / QUEUE_TICK_MS) + 1) * QUEUE_TICK_MS, previous + QUEUE_TICK_MS);

/** The latest tick that is not after `at`. */
export const tickBefore = (at: number): number => Math.floor(at / QUEUE_TICK_MS) * QUEUE_TICK_MS;
