import type { Cancel, Clock } from '#shared/clock.ts';
import { REST_MS } from '#shared/limits.ts';

/** Runs the last of several tasks that follow each other, when no other one follows. */
interface Rest {
  /** Runs the task when `REST_MS` have passed without another one. */
  readonly after: (task: () => void) => void;
  /** Runs the task that waits at once: something else follows it. */
  readonly now: () => void;
}

/** Creates a rest without a task. */
export function createRest(clock: Pick<Clock, 'after'>): Rest {
  let cancel: Cancel | undefined;
  let waiting: (() => void) | undefined;
  const now = () => {
    cancel?.();
    const task = waiting;
    waiting = undefined;
    task?.();
  };
  return {
    now,
    after(task) {
      cancel?.();
      waiting = task;
      cancel = clock.after(REST_MS, now);
    },
  };
}
