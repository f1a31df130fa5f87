import { REST_MS } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';

/** Does the last of several commands that follow each other, when they rest. */
export interface Rest {
  /** Does the act when `REST_MS` have passed without another one. */
  readonly after: (act: () => void) => void;
  /** Does the act that waits at once: another act follows it. */
  readonly now: () => void;
}

/** Creates a rest without an act. */
export function createRest(clock: Pick<Clock, 'after'>): Rest {
  let cancel: Cancel | undefined;
  let waiting: (() => void) | undefined;
  const now = () => {
    cancel?.();
    const act = waiting;
    waiting = undefined;
    act?.();
  };
  return {
    now,
    after(act) {
      cancel?.();
      waiting = act;
      cancel = clock.after(REST_MS, now);
    },
  };
}
