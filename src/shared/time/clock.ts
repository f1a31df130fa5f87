/** Takes back what was scheduled; harmless afterwards. */
export type Cancel = () => void;

/** Time as the program sees it. Everything that waits is handed one, so that tests and replays can turn it. */
export interface Clock {
  /** Milliseconds, never going back. Only differences mean something. */
  now(): number;
  /** Runs `task` once, `ms` from now. */
  after(ms: number, task: () => void): Cancel;
}

/** Runs `task` each `ms` until cancelled. A late run moves the ones after it: there are no bursts. */
export function every(clock: Clock, ms: number, task: () => void): Cancel {
  const next = (): Cancel =>
    clock.after(ms, () => {
      cancel = next();
      task();
    });
  let cancel = next();
  return () => cancel();
}
