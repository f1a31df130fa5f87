import { endOfString } from './endOfString.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

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
