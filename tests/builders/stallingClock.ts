import type { Clock } from '#shared/clock.ts';

/** Creates a clock whose timers fire late when the event loop is stalled. Its time starts at `now`, in milliseconds. */
export function stallingClock(now = 0) {
  let timers: { readonly due: number; readonly task: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + ms, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  /** Stalls the event loop for `ms`; then runs the timers that are due, before any input is read. */
  const stall = (ms: number) => {
    now += ms;
    const due = timers.filter((timer) => timer.due <= now);
    timers = timers.filter((timer) => timer.due > now);
    for (const { task } of due) task();
  };
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) stall(50);
  };
  return { clock, stall, pass };
}
