import type { Change } from '../../../diff/valueDiff.ts';
import type { StepView } from '../../protocol/protocol.ts';

/** The differences to show. */
export interface ShownChanges {
  readonly changes: readonly Change[];
  /** -1: not all were counted. */
  readonly total: number;
  /** The text when there are no differences. */
  readonly none: string;
}

/** Returns the changes of a step; those of `counts.*` only on request, because most steps change them. */
export function shownChanges(
  { step, base, diff, diffTotal }: Pick<StepView, 'step' | 'base' | 'diff' | 'diffTotal'>,
  showsCounts: boolean,
): ShownChanges {
  const changes = showsCounts ? diff : diff.filter(({ path }) => !path.startsWith('counts.'));
  const hidden = diff.length - changes.length;
  return {
    changes,
    total: diffTotal < 0 ? diffTotal : diffTotal - hidden,
    none: noneText(step + base, hidden),
  };
}

function noneText(steps: number, hidden: number): string {
  if (steps === 0) return 'Before the first step there is nothing to compare.';
  return hidden > 0 ? 'Nothing changed except the counts.' : 'Nothing in the state changed.';
}
