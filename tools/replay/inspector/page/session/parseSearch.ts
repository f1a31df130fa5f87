import type { Target } from '../../protocol/protocol.ts';
import type { Search } from './state.ts';

/** The error for an invalid search; `message` tells the person what to enter. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

const TIME = /^(\d+(?:\.\d+)?)\s*(ms|s|min)?$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 };

/**
 * Converts the entered search to a target.
 *
 * @throws {SearchError} when it is empty, or is not a number for a kind that needs one.
 */
export function parseSearch({ kind, text: entered }: Search): Target {
  const text = entered.trim();
  if (text === '') throw new SearchError('Enter what to look for.');
  switch (kind) {
    case 'expression':
      return { kind, expression: text };
    case 'frame':
      return { kind, text };
    case 'change':
      return { kind, path: text };
    case 'update':
      return { kind, number: numberOf(text) };
    case 'time':
      return { kind, t: timeOf(text) };
    case 'message':
      return { kind, id: text };
    default:
      return kind satisfies never;
  }
}

function numberOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new SearchError('An update is a number, such as 12.');
  return Number(text);
}

/** Parses `1500`, `1500 ms`, `1.5 s` or `2 min`; returns milliseconds. */
function timeOf(text: string): number {
  const [, number, unit = 'ms'] = TIME.exec(text) ?? [];
  if (number === undefined) throw new SearchError('A time is a number, such as 1500, 1.5 s or 2 min.');
  return Number(number) * (UNITS[unit] ?? 1);
}
