import { timeSinceLaunch } from '#shared/capture/captureTime.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { countUpTo } from './growableColumn.ts';
import type { Trace } from './trace.ts';
import { actsAt } from './traceState.ts';

interface Range {
  readonly from: number;
  /** The index after the last message. */
  readonly to: number;
}

/**
 * Returns when messages of the conversation after a step arrived, in milliseconds since the launch; `null` when that is not known. The last snapshot
 * has arrivals of its own, and each message after it has a step.
 */
export function arrivalsBetween(trace: Trace, step: number, { from, to }: Range): (number | null)[] {
  const { snapshots, snapshotArrivals, messages, steps } = trace;
  const count = countUpTo(snapshots, step);
  const inSnapshot = snapshotArrivals[count - 1] ?? emptyVector<number | null>();
  const before = count === 0 ? 0 : countUpTo(messages, snapshots.at(count - 1));
  const { launchedAt } = actsAt(trace, step);
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const index = from + i;
    if (index < inSnapshot.length) return itemAt(inSnapshot, index) ?? null;
    return timeSinceLaunch(steps.times.at(messages.at(before + index - inSnapshot.length)), launchedAt);
  });
}
