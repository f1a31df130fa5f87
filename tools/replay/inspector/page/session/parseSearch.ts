import { parseTime } from '../../time/parseTime.ts';
import type { Target } from '../../protocol/protocol.ts';
import type { Search } from './state.ts';

/** The error for an invalid search; `message` tells the person what to enter. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

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

function timeOf(text: string): number {
  const t = parseTime(text);
  if (t === undefined) throw new SearchError('Enter a time as the list shows it, such as 1.230 or 2:03.400.');
  return t;
}
