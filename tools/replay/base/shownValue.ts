const WIDEST = 100;

/**
 * A value for a person to read: JSON on one line, so that nothing in it reaches the terminal as it is; a long one is
 * shortened in its middle. What is absent is called `nothing`.
 */
export function shownValue(value: unknown, widest = WIDEST): string {
  if (value === undefined) return 'nothing';
  const text = visibleJson(JSON.stringify(value));
  if (text.length <= widest) return text;
  const half = Math.floor((widest - 3) / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/**
 * JSON with each character escaped that JSON leaves as it is, and that cannot be seen, ends a line or turns it around.
 * It says the same.
 */
export const visibleJson = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
