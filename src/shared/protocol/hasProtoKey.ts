/** One of the letters of `__proto__`, escaped. */
const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/**
 * Whether a parsed value, or any value in it, has an own property `__proto__`. The structured clone and devalue refuse
 * such a value. Walks the value only when the text that it was parsed from can contain the name, spelled in any way.
 *
 * @param value nested no deeper than the call stack.
 */
export function hasProtoKey(text: string, value: unknown): boolean {
  const isPossible =
    text.includes('__proto__') || (text.includes(String.raw`\u00`) && ESCAPED_LETTER.test(text));
  return isPossible && hasOwnProto(value);
}

function hasOwnProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasOwnProto);
}
