import { readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process and its peak so far, in MB; zeros once the process has ended. Linux only. */
export function processMemory(pid: number): { readonly resident: number; readonly peak: number } {
  const status = statusOf(pid);
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { resident: field('VmRSS'), peak: field('VmHWM') };
}

/** Sets a process's peak to the memory that is resident now. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
