const HOUR = 3_600_000;

/**
 * Formats a time or a duration of the session, in milliseconds, as every part of the inspector shows it: in seconds, to the
 * millisecond: `1.230`, `2:03.400` or `1:02:03.400`.
 */
export function formatTime(ms: number): string {
  const whole = Math.round(ms);
  const inHour = new Date(whole % HOUR).toISOString().slice(14, 23);
  return whole < HOUR ? inHour.replace(/^(?:00:)?0?/, '') : `${Math.floor(whole / HOUR)}:${inHour}`;
}

const TIME = /^(?:(?:(\d+):)?(\d+):(?=\d\d(?!\d)))?(\d+(?:\.\d+)?|\.\d+)$/;
const WITH_UNIT = /^(\d+(?:\.\d+)?)\s*(ms|s|min)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 };

/**
 * Parses a time as the inspector shows it (`1.230`, `2:03.400`, `1:02:03.400`; a number is in seconds), or with a unit (`1230 ms`, `1.23 s`,
 * `2 min`).
 *
 * @returns milliseconds; `undefined` when the text is not a time.
 */
export function parseTime(text: string): number | undefined {
  const [, number, unit = ''] = WITH_UNIT.exec(text) ?? [];
  if (number !== undefined) return toWhole(Number(number) * (UNITS[unit] ?? 1));
  const [, hours = '0', minutes = '0', seconds] = TIME.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return toWhole(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}

/** Removes the rounding error of a product: `1.001 * 1000` is not 1001. */
const toWhole = (ms: number): number => Math.round(ms * 1000) / 1000;
