import { UsageError } from '../base/errors.ts';
import { type FrameDifference, firstFrameDifference } from './firstFrameDifference.ts';
import type { Capture } from '../read/loadCapture.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { createFold } from '../engine/createFold.ts';
import type { Limits, Replay } from '../engine/replay.ts';
import { stateDiff } from './stateDiff.ts';
import { type Change, valueDiff } from './valueDiff.ts';

/** How two captures differ. */
export interface CaptureDiff {
  readonly a: string;
  readonly b: string;
  /** Whether the frames and the final state are the same. */
  readonly same: boolean;
  readonly frame?: FrameDifference;
  /** Differences of the final states: `before` is that of `a`. */
  readonly state: readonly Change[];
}

/** What changed in one capture between the states after two updates. */
export interface PointsDiff {
  readonly capture: string;
  readonly from: number;
  readonly to: number;
  readonly state: readonly Change[];
}

/** Returns the first frame in which two captures differ, and the differences of their final states. */
export function diffCaptures(a: Capture, b: Capture): CaptureDiff {
  const frame = firstFrameDifference(a.records, b.records);
  const state = replayDiff(replayRecords(a.records), replayRecords(b.records));
  const same = frame === undefined && state.length === 0;
  return { a: a.path, b: b.path, same, ...(frame && { frame }), state };
}

/** Compares the conversations, then the rest, which is small. */
const replayDiff = (a: Replay, b: Replay): Change[] => [
  ...stateDiff(a.conversation, b.conversation),
  ...valueDiff(restOf(a), restOf(b)),
];

const restOf = ({ notifications, counts, connection }: Replay) => ({ notifications, counts, connection });

/**
 * Returns how the conversation changed from one update to another; `to` is the last by default.
 * @throws {UsageError} when the capture has fewer updates.
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

/** Folds records in memory, up to a limit. */
export function replayRecords(records: readonly CaptureRecord[], limits: Limits = {}): Replay {
  const engine = createFold(limits);
  records.every((record) => engine.take(record));
  return engine.finish();
}
