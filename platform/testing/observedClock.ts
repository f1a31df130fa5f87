import { type VirtualClock, virtualClock } from '#shared/clock.ts';

/** A virtual clock that reports its new timers. */
export interface ObservedClock extends VirtualClock {
  /** Resolves when the next timer is due at this time; without a time, when there is a timer. */
  untilDue(at?: number): Promise<void>;
}

/** Creates a virtual clock that reports its new timers. */
export function observedClock(): ObservedClock {
  const clock = virtualClock();
  const waiting = new Set<() => void>();
  return {
    ...clock,
    after(ms, task) {
      const cancel = clock.after(ms, task);
      for (const check of waiting) check();
      return cancel;
    },
    untilDue: (at) =>
      new Promise<void>((resolve) => {
        const check = () => {
          const due = clock.nextDue();
          if (due === undefined || (at !== undefined && due !== at)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
