import { endOfString } from './endOfString.ts';

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
  if (count(text, '[', limit + 1) + count(text, '{', limit + 1) <= limit) return false;
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
function count(text: string, character: string, most: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found < most; at = text.indexOf(character, at + 1))
    found++;
  return found;
}
