import { QUEUE_TICK_MS } from '#shared/limits.ts';

/** Larger times are milliseconds: as seconds they would be after the year 5138, as milliseconds they are after 1973. */
const FIRST_MILLISECONDS = 1e11;
/** When an entry began longer than this before its first message, its time comes from another clock. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Converts a HAR's time, seconds or milliseconds since the epoch, to milliseconds; returns `undefined` for a missing time. */
export function toMilliseconds(time: number): number | undefined {
  if (!(time >= 0)) return undefined;
  return time > FIRST_MILLISECONDS ? time : time * 1000;
}

/** The times of the messages of a HAR. */
interface HarTimes {
  /** The beginning, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Each message's time since then, milliseconds; decreases where the HAR's times do. */
  readonly times: readonly number[];
  /** The number of messages without a time. */
  readonly unknown: number;
}

/**
 * Computes the messages' times since the beginning of the socket, or since the first message when the beginning is unknown.
 * A message without a time gets that of the message before it. When no message has a time, they are one tick apart.
 */
export function harTimes(times: readonly number[], entryStart: number | undefined): HarTimes {
  const known = times.map(toMilliseconds);
  const first = known.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined);
  const startedAt = startOf(first, entryStart);
  const gap = first === undefined ? QUEUE_TICK_MS : 0;
  let previous = 0;
  return {
    startedAt,
    unknown: known.filter((time) => time === undefined).length,
    times: known.map((time) => {
      previous = time === undefined ? previous + gap : toMicroseconds(time - startedAt);
      return previous;
    }),
  };
}

function startOf(first: number | undefined, entryStart: number | undefined): number {
  if (first === undefined) return entryStart ?? 0;
  if (entryStart === undefined || entryStart > first || first - entryStart > DAY_MS) return first;
  return entryStart;
}

/** Rounds to microseconds: a double has seconds since the epoch to a quarter of a microsecond. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;
