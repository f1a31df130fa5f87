/** Cancels a scheduled task; does nothing once the task has run. */
export type Cancel = () => void;

/** A source of time. Code that waits gets its clock as an argument, so that tests and replays can use a virtual clock. */
export interface Clock {
  /** Returns monotonic milliseconds. Only differences are meaningful. */
  now(): number;
  /** Runs `task` once after `ms`; returns a function that cancels it. */
  after(ms: number, task: () => void): Cancel;
}

/** Runs `task` every `ms` until cancelled. A late run delays the following ones: there are no bursts. */
export function every(clock: Clock, ms: number, task: () => void): Cancel {
  const next = (): Cancel =>
    clock.after(ms, () => {
      cancel = next();
      task();
    });
  let cancel = next();
  return () => cancel();
}
