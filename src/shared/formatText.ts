import { QUEUE_TICK_MS } from './limits.ts';

/** Returns the text, or its beginning with an ellipsis when it has more than `length` UTF-16 units. Never splits a surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, betweenCharacters(text, length))}…`;

/** Returns `at`, or the index before it when `at` is within a surrogate pair. */
export const betweenCharacters = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** Formats a whole number: `12,345`. Does not use `Intl.NumberFormat`, whose data adds 11 ms to a page's start. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats a size: `92 B`, `1.2 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Returns how many updates wait for their tick, and how long: `9,360 updates waiting, about 15 min 36 s`. */
export const formatBacklog = (updates: number): string =>
  `${formatCount(updates)} update${updates === 1 ? '' : 's'} waiting, about ${formatDuration(updates * QUEUE_TICK_MS)}`;

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a count with its noun: `1 message`, `2 messages`. */
export const pluralize = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;

/** Formats an error message for stderr: one line, without commander's prefix and without control characters. */
export const errorLine = (message: string): string =>
  `${message
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\p{Cc}/gu, '·')}\n`;

/** Returns the system's error code (`ENOSPC`), or `undefined` when the error has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
