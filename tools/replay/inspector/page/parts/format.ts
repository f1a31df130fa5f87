import { formatCount } from '#shared/formatCount.ts';

export { formatCount };

const pad = (number: number, width: number) => String(number).padStart(width, '0');

/** Formats a time since the launch, to the millisecond: `1.230`, `2:03.400` or `1:02:03.400`. */
export function formatTime(ms: number): string {
  const whole = Math.round(ms);
  const seconds = Math.floor(whole / 1000);
  const rest = `.${pad(whole % 1000, 3)}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}${rest}`;
  if (minutes < 60) return `${minutes}:${pad(seconds % 60, 2)}${rest}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60, 2)}:${pad(seconds % 60, 2)}${rest}`;
}

/** Formats a time for use in a sentence: `1.230 s`. */
export const formatTimeWithUnit = (ms: number): string =>
  ms < 59_999.5 ? `${formatTime(ms)} s` : formatTime(ms);

/** Formats a delay: `38 ms`, `1.2 s`. */
export const formatDelay = (ms: number): string =>
  ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Formats a count with its noun: `1 step`, `2 steps`. */
export const formatPlural = (count: number, what: string): string =>
  `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
