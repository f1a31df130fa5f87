import { readFileSync, writeFileSync } from 'node:fs';

/** Returns the resident memory of a process and its peak, in MB; zeros after the process has ended. Linux only. */
export function readProcessMemory(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readText(`/proc/${pid}/status`);
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { resident: field('VmRSS'), peak: field('VmHWM') };
}

/** Sets the peak of a process to its resident memory. Linux only. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Returns the text of a file; empty when it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the slope of the line that fits best. */
export function fitSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const under = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
