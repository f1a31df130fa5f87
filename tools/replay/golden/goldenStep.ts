import type { Step } from '../engine/replay.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { addDisplayDiff } from './display.ts';
import type { GoldenStep } from './golden.ts';
import { type Totals, addTotalsDiff } from './goldenState.ts';
import { goldenValue } from './goldenValue.ts';

/** One update of a trace, with the states before and after it. */
export interface TracedStep {
  readonly step: Step;
  /** Those after the update before. */
  readonly totalsBefore: Totals;
  readonly totalsAfter: Totals;
}

/** Describes an update by its changes. */
export function goldenStep({ step, totalsBefore, totalsAfter }: TracedStep): GoldenStep {
  const { number, tick, update, effect, before, after, notification } = step;
  const changes: Record<string, unknown> = {};
  const removed: string[] = [];
  const differences = stateDiff(before, after);
  addDisplayDiff(before, after, differences);
  addTotalsDiff(totalsBefore, totalsAfter, differences);
  for (const change of differences) {
    if (change.after === undefined) removed.push(change.path);
    else changes[change.path] = goldenValue(change.after);
  }
  return {
    number,
    tick,
    kind: update.kind,
    effect,
    changes,
    ...(removed.length > 0 && { removed }),
    ...(notification && { notification: { ...notification } }),
  };
}
