import { UsageError } from '../base/errors.ts';
import { type FrameDifference, firstFrameDifference } from './firstFrameDifference.ts';
import type { Capture } from '../read/loadCapture.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { type Replay, createParleyEngine } from '../engine/parley.ts';
import type { Limits } from '../engine/replay.ts';
import { stateDiff } from './stateDiff.ts';
import { slicesDiff } from './slicesDiff.ts';
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

/** Replays records, and compares the results. */
export interface Differ<Result> {
  replay(records: readonly CaptureRecord[], limits?: Limits): Result;
  /** Returns the number of updates of a replay. */
  updates(result: Result): number;
  /** Returns the differences of the states. */
  states(a: Result, b: Result): Change[];
  /** Returns the differences of everything else, which is small: the counts and the connection. */
  others(a: Result, b: Result): Change[];
}

/** The two comparisons. */
export interface Diffs {
  /** Returns the first frame in which two captures differ, and the differences of their final states. */
  diffCaptures(a: Capture, b: Capture): CaptureDiff;
  /**
   * Returns how the state changed from one update to another; `to` is the last by default.
   * @throws {UsageError} when the capture has fewer updates.
   */
  diffPoints(
    capture: Capture,
    points: { readonly from: number; readonly to?: number | undefined },
  ): PointsDiff;
}

/** Returns the comparisons of the sessions of an app. */
export const diffsWith = <Result>(differ: Differ<Result>): Diffs => ({
  diffCaptures: (a, b) => diffCaptures(differ, a, b),
  diffPoints: (capture, points) => diffPoints(differ, capture, points),
});

/** Replays sessions of Parley. */
export const parleyDiffer: Differ<Replay> = {
  replay: replayRecords,
  updates: ({ counts }) => counts.applied + counts.ignored,
  states: (a, b) => [...stateDiff(a.conversation, b.conversation), ...slicesDiff(slicesOf(a), slicesOf(b))],
  others: (a, b) => valueDiff(othersOf(a), othersOf(b)),
};

/** What `stateDiff` and `othersOf` compare, and times: sessions with the same frames at other times are the same. */
const NO_SLICES: ReadonlySet<string> = new Set<keyof Replay>([
  'conversation',
  'connection',
  'counts',
  'appliedUpdates',
  'queue',
  'arrivals',
  'virtualMs',
]);

const slicesOf = (replay: Replay) => ({
  ...Object.fromEntries(Object.entries(replay).filter(([name]) => !NO_SLICES.has(name))),
  windows: replay.windows,
});

const othersOf = ({ connection, counts, appliedUpdates, queue: { length, bytes } }: Replay) => ({
  connection,
  counts,
  appliedUpdates,
  queue: { length, bytes },
});

function diffCaptures<Result>(differ: Differ<Result>, a: Capture, b: Capture): CaptureDiff {
  const frame = firstFrameDifference(a.records, b.records);
  const [left, right] = [differ.replay(a.records), differ.replay(b.records)];
  const state = [...differ.states(left, right), ...differ.others(left, right)];
  const same = frame === undefined && state.length === 0;
  return { a: a.path, b: b.path, same, ...(frame && { frame }), state };
}

function diffPoints<Result>(
  differ: Differ<Result>,
  { path, records }: Capture,
  { from, to }: { readonly from: number; readonly to?: number | undefined },
): PointsDiff {
  const updates = differ.updates(differ.replay(records));
  for (const [name, point] of Object.entries({ '--from': from, '--to': to ?? updates })) {
    if (point > updates) throw new UsageError(`${name} ${point}: ${path} has ${updates} updates`);
  }
  const [before, after] = [from, to ?? updates].map((until) => differ.replay(records, { until }));
  const state = before !== undefined && after !== undefined ? differ.states(before, after) : [];
  return { capture: path, from, to: to ?? updates, state };
}

/** Folds records in memory, up to a limit. */
export function replayRecords(records: readonly CaptureRecord[], limits: Limits = {}): Replay {
  const engine = createParleyEngine(limits);
  records.every((record) => engine.take(record));
  return engine.finish();
}
