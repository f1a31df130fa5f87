/** Runs a task after `ms` milliseconds; returns a function that cancels it. */
export type After = (ms: number, task: () => void) => () => void;

/** Uses the system's timers; they do not keep the process running. */
export const afterUnref: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};
