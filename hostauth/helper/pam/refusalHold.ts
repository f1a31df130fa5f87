import { type Clock, pause } from '../../base/clock.ts';

/** A slot that refused comes free at a multiple of this. PAM takes some 35 ms for an account, and 3 ms for no account. */
const STEP_MS = 100;
/** The longest that one sign-in makes others wait. */
const MAX_MS = 500;
/** How long the longest time is remembered, and at most twice as long. */
const PERIOD_MS = 60_000;

export interface RefusalHoldOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Milliseconds; 100 unless given. */
  readonly stepMs?: number | undefined;
}

/** Makes all refused sign-ins use a slot for the same time, whatever PAM had to do for each. */
export interface RefusalHold {
  /** Notes how long PAM took for a sign-in, in milliseconds. */
  add(took: number): void;
  /** Waits until a slot may come free. @param startedAt when the sign-in took the slot, on the monotonic clock. */
  until(startedAt: number): Promise<void>;
}

/**
 * Many sign-ins at once wait for each other, so a slot that comes free sooner for names that do not exist would show in
 * the times of all answers that follow. A slot that refused is therefore held as long as PAM recently took for its
 * slowest sign-in, which follows the load of the machine, and up to the next multiple of `stepMs`, so that small
 * differences do not add up.
 */
export function createRefusalHold({ clock, stepMs = STEP_MS }: RefusalHoldOptions): RefusalHold {
  let [longest, longestBefore] = [0, 0];
  let startOfPeriod = clock.monotonic();

  function renew(): void {
    const age = clock.monotonic() - startOfPeriod;
    if (age < PERIOD_MS) return;
    longestBefore = age < 2 * PERIOD_MS ? longest : 0;
    longest = 0;
    startOfPeriod = clock.monotonic();
  }

  return {
    add(took) {
      renew();
      longest = Math.max(longest, Math.min(took, MAX_MS));
    },
    until(startedAt) {
      renew();
      const earliest = Math.max(clock.monotonic(), startedAt + Math.max(longest, longestBefore));
      const end = (Math.floor(earliest / stepMs) + 1) * stepMs;
      // Timers drop fractions.
      return pause(clock, Math.ceil(end - clock.monotonic()));
    },
  };
}
