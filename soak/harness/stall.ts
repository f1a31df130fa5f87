import { setTimeout as pause } from 'node:timers/promises';

/** Returns an expression that keeps a process busy, by its monotonic clock. */
export const stall = (ms: number): string =>
  `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;

/** Returns a statement that keeps a process busy before its next timers. These run before sockets are read: the worst case of a stall. */
export const stallBeforeTimers = (ms: number): string => `setImmediate(() => ${stall(ms)});`;

/** Stops a process: it gets no processor time. */
export async function stopProcess(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}
