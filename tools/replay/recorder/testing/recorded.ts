import { captureParser } from '#shared/capture/parseCapture.ts';

/** Returns a clock that advances by a millisecond at each reading. */
export function virtualNow(): () => number {
  let ms = Date.UTC(2026, 10, 20, 9);
  return () => ms++;
}

/** Parses a capture; throws when a line is not valid. */
export function linesOf(text: string): Readonly<Record<string, unknown>>[] {
  const [first = '', ...rest] = text.split('\n').slice(0, -1);
  const parser = captureParser();
  return [Object(parser.header(first)), ...rest.map((line) => Object(parser.record(line)))];
}

/** Returns the records of a capture without their times, and without the last one. */
export const recordsOf = (text: string): Readonly<Record<string, unknown>>[] =>
  linesOf(text)
    .slice(1, -1)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([field]) => field !== 't')));
