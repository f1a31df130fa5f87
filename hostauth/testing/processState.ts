/** Reads the state of processes from /proc. */
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, vi } from 'vitest';

/** Returns a field of /proc/<pid>/status. */
export const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:\\s*(.*?)\\s*$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

/** Returns the pids of the children of a process. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** Returns whether a process has ended. It is a zombie until its parent has read its exit code. */
export const hasEnded = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || statusOf(pid, 'State').startsWith('Z');

/** Returns the targets of the open files of a process. */
export const openFilesOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));

/** Returns the command line of a process. */
export const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Checks that no thread of a process has root's ids, groups or capabilities. */
export function expectUnprivileged(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    const [, uids = ''] = /^Uid:\s*(.*)$/m.exec(status) ?? [];
    const [, gids = ''] = /^Gid:\s*(.*)$/m.exec(status) ?? [];
    expect(`${uids} ${gids}`.split(/\s+/)).not.toContain('0');
    expect(status).toMatch(/^Groups:\s*$/m);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) {
      expect(status).toMatch(new RegExp(`^${set}:\\s*0+$`, 'm'));
    }
  }
}

/** Checks that a process writes no core file. */
export function expectNoCoreFile(pid: number): void {
  expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max core file size\s+0\s+0\s/m);
}

/**
 * Stops the timers of limits until the test ends: a tool that starts slowly does not reach its limit. The returned function lets time pass, in
 * milliseconds.
 */
export function stopLimits(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}
