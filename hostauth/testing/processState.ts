/** The built programs of hostauth, and the state of processes, from /proc. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/** Returns the path of a program of hostauth that `npm run build` has built. */
export const hostauthProgram = (name: 'hostauth' | 'http' | 'helper' | 'pamChild'): string =>
  join(import.meta.dirname, '../../out/hostauth', `${name}.js`);

/** Returns a field of /proc/<pid>/status. */
export const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ??
  '';

/** Returns the pids of the children of a process. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** Returns whether a process has ended. It is a zombie until its parent has read its exit code. */
export const hasEnded = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || statusOf(pid, 'State').startsWith('Z');

/** Returns the command line of a process. */
export const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Stops the timers of limits until the test ends: no slow tool reaches its limit. The returned function lets milliseconds pass. */
export function stopLimits(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}
