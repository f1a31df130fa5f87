import type { Clock } from '../clock.ts';
import { pause } from '../clock.ts';

export interface RefusalTimes {
  /** A refusal leaves after a whole number of these. */
  readonly floorMs: number;
  /** And up to so much more. */
  readonly jitterMs: number;
}

/** PAM takes some 35 ms for an account that exists, and less for one that does not. */
export const REFUSAL_TIMES: RefusalTimes = { floorMs: 500, jitterMs: 50 };

export interface RefusalOptions {
  readonly clock: Clock;
  readonly times?: RefusalTimes;
  /** From 0 to less than 1. */
  readonly random: () => number;
}

/** Waits until a refusal may leave. @param startedAt when its request came, on the monotonic clock. */
export type HoldRefusal = (startedAt: number) => Promise<void>;

/**
 * Refusals take a time that tells nothing of the account: not whether there is one, nor what is wrong with it. What took
 * longer than the floor leaves at the next whole one. A timer waits, no thread.
 */
export const createHoldRefusal =
  ({ clock, times = REFUSAL_TIMES, random }: RefusalOptions): HoldRefusal =>
  (startedAt) => {
    const { floorMs, jitterMs } = times;
    const taken = clock.monotonic() - startedAt;
    const floors = Math.max(1, Math.ceil(taken / floorMs));
    return pause(clock, floors * floorMs + random() * jitterMs - taken);
  };
