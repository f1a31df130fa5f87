/** Returns the text, or its beginning with an ellipsis when it has more than `length` UTF-16 units. Never splits a surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, betweenCharacters(text, length))}…`;

/** Returns `at`, or the index before it when `at` is within a surrogate pair. */
export const betweenCharacters = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
