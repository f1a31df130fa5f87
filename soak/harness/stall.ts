import { setTimeout as pause } from 'node:timers/promises';

/** An expression that keeps a process busy for that long, as its monotonic clock says. */
export const stall = (ms: number): string =>
  `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;

/** The same, as a statement, before the next timers: these run before sockets are read, the worst case of a stall. */
export const stallBeforeTimers = (ms: number): string => `setImmediate(() => ${stall(ms)});`;

/** Stops a process for that long: it gets no processor time at all. */
export async function stopProcess(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}
