import { UsageError } from '../base/errors.ts';
import { type FrameDifference, firstFrameDifference } from './firstFrameDifference.ts';
import type { Capture } from '../read/loadCapture.ts';
import type { Replay } from '../engine/replay.ts';
import { replayRecords } from '../engine/replayRecords.ts';
import { stateDiff } from './stateDiff.ts';
import { type Change, valueDiff } from './valueDiff.ts';

/** How two captures differ. */
export interface CaptureDiff {
  readonly a: string;
  readonly b: string;
  /** Same frames and same final state. */
  readonly same: boolean;
  readonly frame?: FrameDifference;
  /** The final states: `before` is that of `a`. */
  readonly state: readonly Change[];
}

/** What changed in one capture from the state after one update to that after another. */
export interface PointsDiff {
  readonly capture: string;
  readonly from: number;
  readonly to: number;
  readonly state: readonly Change[];
}

/** The first frame in which two captures differ, and how their final states do. */
export function diffCaptures(a: Capture, b: Capture): CaptureDiff {
  const frame = firstFrameDifference(a.records, b.records);
  const state = replayDiff(replayRecords(a.records), replayRecords(b.records));
  const same = frame === undefined && state.length === 0;
  return { a: a.path, b: b.path, same, ...(frame && { frame }), state };
}

/** The conversation; then what is told of it all, which is small. */
const replayDiff = (a: Replay, b: Replay): Change[] => [
  ...stateDiff(a.conversation, b.conversation),
  ...valueDiff(besides(a), besides(b)),
];

const besides = ({ notifications, counts, connection }: Replay) => ({ notifications, counts, connection });

/**
 * How the conversation changed from one update to another; `to` is the last by default.
 * @throws {UsageError} when the capture has not so many.
 */
export function diffPoints(
  { path, records }: Capture,
  { from, to }: { readonly from: number; readonly to?: number | undefined },
): PointsDiff {
  const { applied, ignored } = replayRecords(records).counts;
  const updates = applied + ignored;
  for (const [name, point] of Object.entries({ '--from': from, '--to': to ?? updates })) {
    if (point > updates) throw new UsageError(`${name} ${point}: ${path} has ${updates} updates`);
  }
  const [before, after] = [from, to ?? updates].map((until) => replayRecords(records, { until }));
  const state = before && after ? stateDiff(before.conversation, after.conversation) : [];
  return { capture: path, from, to: to ?? updates, state };
}
