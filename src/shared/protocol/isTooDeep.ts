import { endOfString } from './endOfString.ts';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Whether the arrays and objects in a text of JSON are nested deeper than `limit` levels; the outermost one is level 1.
 * Reads the text, so nothing is allocated: `JSON.parse` needs 2 GB for 60 MB of brackets. What a text that is not JSON
 * gives means nothing, except that `JSON.parse` never nests deeper than the limit after `false`.
 */
export function isTooDeep(text: string, limit: number): boolean {
  // Each level has an opening and a closing bracket. Most frames are told apart by these two lines.
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

/** How often a character occurs, up to `most`. */
function count(text: string, character: string, most: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found < most; at = text.indexOf(character, at + 1))
    found++;
  return found;
}
