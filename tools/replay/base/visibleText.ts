/** Control characters, and those that change the direction of text: a capture must not control the reader's terminal. */
const CONTROLS = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Makes a text from a capture safe to print, on one line. */
export const escapeControls = (text: string): string => text.replace(/\s+/gu, ' ').replace(CONTROLS, '·');

/** Makes a name safe to print, on one line. */
export const visibleName = (name: string): string => name.replace(CONTROLS, '·');

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

const HOUR = 3_600_000;

/** Formats milliseconds as `m:ss.mmm`, from one hour as `h:mm:ss.mmm`. */
export function formatTime(ms: number): string {
  const whole = Math.round(ms);
  const inHour = new Date(whole % HOUR).toISOString().slice(14, 23);
  return whole < HOUR ? inHour.replace(/^0/, '') : `${Math.floor(whole / HOUR)}:${inHour}`;
}

interface ShownUpdate {
  readonly tick: number;
  readonly kind: string;
  readonly effect?: 'applied' | 'ignored';
}

/** Formats an update on one line: when, of what kind, with what content. */
export const updateLine = ({ tick, kind, effect }: ShownUpdate, content: string): string =>
  `${formatTime(tick).padStart(9)}  ${escapeControls(kind).padEnd(12)}  ${effect === 'ignored' ? '(ignored) ' : ''}${content}`.trimEnd() +
  '\n';
