import { createHash } from 'node:crypto';

/** A golden contains only the beginning, the length and the digest of longer strings (pictures, files). */
const LONG = 2000;
const BEGINNING = 60;

/** Converts a JSON value to its form in a golden; returns the same reference when no string in it is long. */
export function goldenValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG ? digestOf(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isShortened) ? value.map(goldenValue) : value;
  const entries = Object.entries(value);
  if (!entries.some(([, field]) => isShortened(field))) return value;
  return Object.fromEntries(entries.map(([key, field]) => [key, goldenValue(field)]));
}

const isShortened = (value: unknown): boolean => goldenValue(value) !== value;

function digestOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, BEGINNING)}… (${text.length} characters, sha256:${digest})`;
}
