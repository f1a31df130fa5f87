import { QUEUE_TICK_MS } from '#shared/limits.ts';

/** Seconds since the epoch reach this in the year 5138; milliseconds since the epoch have been past it since 1973. */
const FIRST_MILLISECONDS = 1e11;
/** An entry that began longer than this before its first message was timed by another clock. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** A HAR's time, seconds or milliseconds since the epoch, in milliseconds; `undefined` for one that was left out. */
export function toMilliseconds(time: number): number | undefined {
  if (!(time >= 0)) return undefined;
  return time > FIRST_MILLISECONDS ? time : time * 1000;
}

export interface HarTimes {
  /** When it began, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Each message's time since then, milliseconds; it may go back where the HAR's does. */
  readonly times: readonly number[];
  /** How many had no time of their own. */
  readonly unknown: number;
}

/**
 * The messages' times since the socket's beginning, or since the first message when the beginning is not known. A message
 * without a time stands at the one before it; where none has one, each is a tick after the other, so that the order stays.
 */
export function timesOf(times: readonly number[], entryStart: number | undefined): HarTimes {
  const known = times.map(toMilliseconds);
  const first = known.find((time) => time !== undefined);
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

/** A double holds seconds since the epoch to a quarter of a microsecond: what is finer is noise. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;
