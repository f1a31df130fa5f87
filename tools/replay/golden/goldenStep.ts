import type { Conversation } from '#shared/conversation/conversation.ts';
import type { ParleyStep } from '../engine/parley.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { addDisplayDiff } from './display.ts';
import type { GoldenStep } from './golden.ts';
import { type Totals, addTotalsDiff, goldenState } from './goldenState.ts';
import { recordedChanges } from './recordedChanges.ts';
import type { DescribedStep } from './tracer.ts';

/** One update of a trace, with the conversations, in the form of this revision, and the totals before and after it. */
export interface TracedStep {
  readonly step: ParleyStep;
  readonly before: Conversation;
  readonly after: Conversation;
  /** Those after the update before. */
  readonly totalsBefore: Totals;
  readonly totalsAfter: Totals;
}

/** Describes an update by its changes. */
export function goldenStep({ step, before, after, totalsBefore, totalsAfter }: TracedStep): GoldenStep {
  const { number, tick, update, effect, notification } = step;
  const differences = stateDiff(before, after);
  addDisplayDiff(before, after, differences);
  addTotalsDiff(totalsBefore, totalsAfter, differences);
  return {
    number,
    tick,
    kind: update.kind,
    effect,
    ...recordedChanges(differences),
    ...(notification && { notification: { ...notification } }),
  };
}

/** Describes an update of Parley for a comparison, when it is needed. */
export const describedStep = (traced: TracedStep): DescribedStep => ({
  golden: () => goldenStep(traced),
  stateBefore: () => goldenState(traced.before, traced.totalsBefore),
});
