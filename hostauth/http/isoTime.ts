let lastMs = Number.NaN;
let lastText = '';

/**
 * Formats a time, rounded to milliseconds. Requests in the same millisecond share the text, which takes longer than most
 * of an answer.
 * @param ms since 1970.
 */
export function isoTime(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded !== lastMs) {
    lastMs = rounded;
    lastText = new Date(rounded).toISOString();
  }
  return lastText;
}
