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
