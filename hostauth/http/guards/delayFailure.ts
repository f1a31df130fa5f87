import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/clock.ts';

export interface FailureTimes {
  /** A refusal leaves after a whole number of these. */
  readonly floorMs: number;
  /** And up to so much more. */
  readonly jitterMs: number;
}

/** PAM takes some 35 ms for an account that exists, and less for one that does not. */
export const FAILURE_TIMES: FailureTimes = { floorMs: 500, jitterMs: 50 };

export interface DelayFailureOptions {
  readonly clock: Clock;
  readonly times?: FailureTimes;
  /** From 0 to less than 1. */
  readonly random: () => number;
}

/** Waits until a refusal may leave. @param startedAt when its request came, on the monotonic clock. */
export type DelayFailure = (startedAt: number) => Promise<void>;

/**
 * Refusals take a time that tells nothing of the account: not whether there is one, nor what is wrong with it. What took
 * longer than the floor leaves at the next whole one. A timer waits, no thread.
 */
export const createDelayFailure =
  ({ clock, times = FAILURE_TIMES, random }: DelayFailureOptions): DelayFailure =>
  (startedAt) => {
    const { floorMs, jitterMs } = times;
    const taken = clock.monotonic() - startedAt;
    const floors = Math.max(1, Math.ceil(taken / floorMs));
    return pause(clock, floors * floorMs + random() * jitterMs - taken);
  };
