import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/clock.ts';

/** The times after which refusals are sent. */
interface FailureTimes {
  /** A refusal is sent after a multiple of this. */
  readonly floorMs: number;
  /** A random time up to this is added. */
  readonly jitterMs: number;
}

/** PAM takes about 35 ms for an account that exists, and less for one that does not. */
export const FAILURE_TIMES: FailureTimes = { floorMs: 500, jitterMs: 50 };

interface DelayFailureOptions {
  readonly clock: Clock;
  readonly times?: FailureTimes;
  /** Returns a number from 0 to less than 1. */
  readonly random: () => number;
}

/** Waits until a refusal may be sent. @param startedAt when its request arrived, on the monotonic clock. */
export type DelayFailure = (startedAt: number) => Promise<void>;

/**
 * Creates the delay of refusals. Their time does not reveal whether an account exists or why it was refused: it is the next
 * multiple of `floorMs`. A timer waits, no thread.
 */
export const createDelayFailure =
  ({ clock, times = FAILURE_TIMES, random }: DelayFailureOptions): DelayFailure =>
  (startedAt) => {
    const { floorMs, jitterMs } = times;
    const taken = clock.monotonic() - startedAt;
    const floors = Math.max(1, Math.ceil(taken / floorMs));
    return pause(clock, floors * floorMs + random() * jitterMs - taken);
  };
