import type { Clock } from '#shared/time/clock.ts';

/** The virtual clock of a store in a replay. Its time starts at 0, and changes only when its timer fires. */
export interface QueueClock extends Clock {
  /**
   * Advances the time to that of the timer, and runs its task.
   * @throws {Error} when there is no timer.
   */
  fire(): void;
}

/** Creates a clock that has one timer at a time: that of the queue. */
export function queueClock(): QueueClock {
  let now = 0;
  let timer: { readonly due: number; readonly task: () => void } | undefined;
  return {
    now: () => now,
    after(ms, task) {
      timer = { due: now + ms, task };
      return () => {
        timer = undefined;
      };
    },
    fire() {
      const fired = timer;
      if (fired === undefined) throw new Error('updates wait, but the queue has no timer');
      timer = undefined;
      now = fired.due;
      fired.task();
    },
  };
}
