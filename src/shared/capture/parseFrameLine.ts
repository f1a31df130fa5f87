import type { JsonObject } from '../isJsonObject.ts';
import { tryParseJson } from '../tryParseJson.ts';

const START = '{"t":';
/** Ends with the quote that begins the data. */
const MIDDLE = ',"type":"recv","data":"';

const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE_BRACE = 0x7d;

/** The digits of a longer number may not be exact. */
const TIME_LENGTH = 15;
/** What the digits of a time are divided by, for each number of decimals: recorders write microseconds. */
const DIVISORS = [1, 10, 100, 1000];

/**
 * Parses the line of a received frame as recorders write it: `{"t":…,"type":"recv","data":"…"}`. Gives the same record as `JSON.parse` in
 * two thirds of the time: most lines of a long capture are of this kind. Returns `undefined` for every other line.
 */
export function parseFrameLine(line: string): JsonObject | undefined {
  const middle = line.indexOf(MIDDLE, START.length);
  const last = line.length - 1;
  if (middle === -1 || line.indexOf(START) !== 0 || line.charCodeAt(last) !== CLOSE_BRACE) return undefined;
  const t = parseTime(line, START.length, middle);
  if (t === undefined) return undefined;
  // From quote to quote, this is one string or no JSON: a field after `data` makes it invalid. No nested value is parsed.
  const data = tryParseJson(line.slice(middle + MIDDLE.length - 1, last));
  return data === undefined ? undefined : { t, type: 'recv', data };
}

/** Parses a JSON number without sign and exponent; returns `undefined` for every other text. Makes no string of the digits. */
function parseTime(line: string, from: number, to: number): number | undefined {
  let digits = 0;
  let point = to;
  for (let at = from; at < to; at++) {
    const code = line.charCodeAt(at);
    if (code >= ZERO && code <= NINE) digits = digits * 10 + code - ZERO;
    else if (code === POINT && point === to) point = at;
    else return undefined;
  }
  const hasLeadingZero = line.charCodeAt(from) === ZERO && point > from + 1;
  if (point === from || point === to - 1 || hasLeadingZero || to - from > TIME_LENGTH) return undefined;
  // The quotient of two exact numbers is the number nearest to the decimal, as in JSON.parse.
  const divisor = DIVISORS[point === to ? 0 : to - point - 1];
  return divisor === undefined ? undefined : digits / divisor;
}
