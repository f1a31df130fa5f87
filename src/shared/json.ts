/** A JSON object whose properties have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a JSON value is an object: not an array and not `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON; returns `undefined`, which JSON cannot express, when the text is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns whether the arrays and objects in a JSON text are nested deeper than `limit` levels. The outermost one is level 1. Scans the
 * text and allocates nothing: `JSON.parse` needs 2 GB for 60 MB of brackets. For a text that is not JSON, `false` only means that
 * `JSON.parse` does not nest deeper than the limit before it fails.
 */
export function isTooDeep(text: string, limit: number): boolean {
  // Each level has an opening and a closing bracket. These two lines are enough for most frames.
  if (text.length < 2 * (limit + 1)) return false;
  if (charactersIn(text, '[', limit + 1) + charactersIn(text, '{', limit + 1) <= limit) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i === -1) return false;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth++;
      if (depth > limit) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  return false;
}

/** Counts the occurrences of a character, up to `most`. */
function charactersIn(text: string, character: string, most: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found < most; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Returns whether a JSON text has more than `limit` values and keys. Scans the text and allocates nothing: a value of 2 characters can
 * occupy 150 bytes once it is parsed.
 */
export function hasTooManyValues(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i === -1) return false;
    } else if (code === COMMA || code === COLON || code === OPEN_BRACE || code === OPEN_BRACKET) {
      values++;
      if (values > limit) return true;
    }
  }
  return false;
}

const BACKSLASH = 0x5c;

/** Returns the index of the closing quote of the JSON string that begins at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Returns whether an odd number of backslashes precedes a quote; `false` for -1. */
function isEscaped(text: string, quote: number): boolean {
  let isOdd = false;
  for (let at = quote - 1; text.charCodeAt(at) === BACKSLASH; at--) isOdd = !isOdd;
  return isOdd;
}

/**
 * Returns whether a parsed value, or any value in it, has an own property `__proto__`. The structured clone and devalue refuse such a
 * value. Walks the value only when the text contains `__proto__`, or the escape of a letter up to U+00FF: each letter of `__proto__` may be escaped.
 *
 * @param text the JSON text that `value` was parsed from.
 * @param value must not be nested deeper than the call stack permits.
 */
export const hasProtoKey = (text: string, value: unknown): boolean =>
  (text.includes('__proto__') || text.includes('\\u00')) && hasOwnProto(value);

function hasOwnProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasOwnProto);
}
