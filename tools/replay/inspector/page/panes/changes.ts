import type { Change } from '../../../diff/valueDiff.ts';
import type { StepView } from '../../protocol/protocol.ts';

/** Returns the changes of a step; those of `counts.*` only on request, because most steps change them. */
export function shownChanges(
  { step, base, diff, diffTotal }: Pick<StepView, 'step' | 'base' | 'diff' | 'diffTotal'>,
  showsCounts: boolean,
) {
  const changes = showsCounts ? diff : diff.filter(({ path }) => !path.startsWith('counts.'));
  const hidden = diff.length - changes.length;
  return {
    changes,
    total: diffTotal < 0 ? diffTotal : diffTotal - hidden,
    none:
      step + base === 0
        ? 'Before the first step there is nothing to compare.'
        : hidden > 0
          ? 'Nothing changed except the counts.'
          : 'Nothing in the state changed.',
  };
}

/** The number of characters that are shown before an appended part. */
const CONTEXT = 24;

/** Returns what was appended to a text, and the end of the text before; `undefined` for any other change. */
export function appendedPart({ before, after }: Pick<Change, 'before' | 'after'>) {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '') return undefined;
  if (before.length === after.length || !after.startsWith(before)) return undefined;
  const end = before.length <= CONTEXT ? before : `…${before.slice(-CONTEXT).toWellFormed()}`;
  return { end, added: after.slice(before.length) };
}

/** Returns the parts of two texts between their common beginning and their common end. */
export function changedPart(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    start: before.slice(0, start),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    end: end === 0 ? '' : before.slice(-end),
  };
}
