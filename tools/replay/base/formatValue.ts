const WIDEST = 100;

/**
 * Formats a value for a person: JSON on one line, without characters that could control a terminal. A long text is
 * shortened in the middle. `undefined` becomes `nothing`.
 */
export function formatValue(value: unknown, widest = WIDEST): string {
  if (value === undefined) return 'nothing';
  const text = visibleJson(JSON.stringify(value));
  if (text.length <= widest) return text;
  const half = Math.floor((widest - 3) / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/**
 * Escapes the characters of a JSON text that are invisible, end a line or change the direction of text. The value stays
 * the same.
 */
export const visibleJson = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
