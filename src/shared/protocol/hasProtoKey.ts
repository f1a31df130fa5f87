/** Matches an escaped letter of `__proto__`. */
const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/**
 * Returns whether a parsed value, or any value in it, has an own property `__proto__`. The structured clone and devalue refuse such a
 * value. Walks the value only when the text contains `__proto__` or an escaped letter of it.
 *
 * @param text the JSON text that `value` was parsed from.
 * @param value must not be nested deeper than the call stack permits.
 */
export const hasProtoKey = (text: string, value: unknown): boolean => canName(text) && hasOwnProto(value);

/** Searches for single characters first: that takes a twentieth of the time of a search for a word. */
function canName(text: string): boolean {
  const hasEscape = text.indexOf('\\') !== -1 && ESCAPED_LETTER.test(text);
  return hasEscape || (text.indexOf('_') !== -1 && text.includes('__proto__'));
}

function hasOwnProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasOwnProto);
}
