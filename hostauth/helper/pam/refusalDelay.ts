import { type Clock, pause } from '../../base/clock.ts';

/** The slot of a refusal becomes free at a multiple of this. PAM takes about 35 ms for an account, and 3 ms for none. */
const STEP_MS = 100;
/** The most that one slow sign-in delays others. */
const MAX_MS = 500;
/** The slowest sign-in counts for one to two of these. */
const PERIOD_MS = 60_000;

/** The options of `createRefusalDelay`. */
interface RefusalDelayOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** In milliseconds; 100 by default. */
  readonly stepMs?: number | undefined;
}

/** Makes all refused sign-ins use their slot for the same time, however long PAM took for each. */
export interface RefusalDelay {
  /** Notes how long PAM took for a sign-in, in milliseconds. */
  add(took: number): void;
  /** Waits until the slot of a refusal may become free. @param startedAt when it took the slot, on the monotonic clock. */
  wait(startedAt: number): Promise<void>;
}

/**
 * Creates the delay of refusals. Many sign-ins at once wait for each other: if a slot became free sooner for a name that does
 * not exist, the times of all later answers would show it. So the slot of a refusal is kept as long as the slowest recent
 * sign-in took, which follows the load of the machine, and up to the next multiple of `stepMs`, so that small differences do
 * not add up.
 */
export function createRefusalDelay({ clock, stepMs = STEP_MS }: RefusalDelayOptions): RefusalDelay {
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
    wait(startedAt) {
      renew();
      const earliest = Math.max(clock.monotonic(), startedAt + Math.max(longest, longestBefore));
      const end = (Math.floor(earliest / stepMs) + 1) * stepMs;
      // Timers drop fractions.
      return pause(clock, Math.ceil(end - clock.monotonic()));
    },
  };
}
