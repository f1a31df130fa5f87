import type { Change } from './valueDiff.ts';

/** The number of characters that are shown before an appended part. */
const CONTEXT = 24;

/** Returns what was appended to a text, and the end of the text before; `undefined` for any other change. */
export function appendedPart({ before, after }: Pick<Change, 'before' | 'after'>) {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '') return undefined;
  if (before.length === after.length || !after.startsWith(before)) return undefined;
  const end = before.length <= CONTEXT ? before : `…${before.slice(-CONTEXT).toWellFormed()}`;
  return { end, added: after.slice(before.length) };
}
