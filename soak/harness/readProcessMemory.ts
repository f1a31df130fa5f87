import { readFileSync, writeFileSync } from 'node:fs';

/** Returns the resident memory of a process and its peak, in MB; zeros after the process has ended. Linux only. */
export function readProcessMemory(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readStatus(pid);
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { resident: field('VmRSS'), peak: field('VmHWM') };
}

/** Sets the peak of a process to its resident memory. Linux only. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
