import { UsageError } from '../base/errors.ts';
import type { Capture } from '../read/readCapture.ts';
import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import { type Replay, createParleyEngine } from '../engine/parley.ts';
import type { Limits } from '../engine/replay.ts';
import { slicesDiff, stateDiff } from './stateDiff.ts';
import { type Change, valueDiff } from './valueDiff.ts';
import { isFrame } from '../engine/frames.ts';
import { formatValue } from '../base/visibleText.ts';

/** How two captures differ. */
interface CaptureDiff {
  readonly a: string;
  readonly b: string;
  /** Whether the frames and the final state are the same. */
  readonly same: boolean;
  readonly frame?: FrameDifference;
  /** Differences of the final states: `before` is that of `a`. */
  readonly state: readonly Change[];
}

/** What changed in one capture between the states after two updates. */
interface PointsDiff {
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

/** The first frames in which two captures differ; one is missing when its capture has fewer frames. */
interface FrameDifference {
  /** The frame's number, counting both directions, from 1. */
  readonly number: number;
  readonly a?: FrameRecord;
  readonly b?: FrameRecord;
}

/** Returns the first frame whose direction or data differ; times are not compared. */
function firstFrameDifference(
  a: readonly CaptureRecord[],
  b: readonly CaptureRecord[],
): FrameDifference | undefined {
  const [left, right] = [framesOf(a), framesOf(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [one, other] = [left[i], right[i]];
    if (!isSameFrame(one, other))
      return { number: i + 1, ...(one && { a: one }), ...(other && { b: other }) };
  }
  return undefined;
}

const framesOf = (records: readonly CaptureRecord[]): FrameRecord[] =>
  records.filter((record): record is FrameRecord => isFrame(record, 'recv') || isFrame(record, 'send'));

const isSameFrame = (a: FrameRecord | undefined, b: FrameRecord | undefined): boolean =>
  a?.type === b?.type && a?.data === b?.data && a?.encoding === b?.encoding;

/** Describes how two captures differ, for people. */
export function diffText({ a, b, same, frame, state }: CaptureDiff): string {
  if (same) return 'the same frames and the same final state\n';
  const frames =
    frame === undefined
      ? ['the same frames']
      : [
          `frame ${frame.number} is the first that differs`,
          `  a  ${describeFrame(frame.a)}`,
          `  b  ${describeFrame(frame.b)}`,
        ];
  const states =
    state.length === 0
      ? ['the same final state']
      : ['the final state differs', ...changeLines(state, ['a', 'b'])];
  return `${[`a  ${a}`, `b  ${b}`, '', ...frames, '', ...states].join('\n')}\n`;
}

/** Describes what changed between two points, for people. */
export function pointsText({ capture, from, to, state }: PointsDiff): string {
  const head = `${capture}, from update ${from} to update ${to}`;
  if (state.length === 0) return `${head}: nothing changed\n`;
  return `${[head, ...changeLines(state, ['from', 'to'])].join('\n')}\n`;
}

function changeLines(changes: readonly Change[], [left, right]: readonly [string, string]): string[] {
  const width = Math.max(left.length, right.length);
  return changes.flatMap(({ path, before, after }) => [
    `  ${path}`,
    `    ${left.padEnd(width)}  ${formatValue(before)}`,
    `    ${right.padEnd(width)}  ${formatValue(after)}`,
  ]);
}

/** Describes a frame on one line: direction, time, data. */
function describeFrame(frame: FrameRecord | undefined): string {
  if (frame === undefined) return 'no frame';
  const encoding = frame.encoding === undefined ? '' : ', base64';
  return `${frame.type} at ${frame.t} ms${encoding}  ${formatValue(frame.data)}`;
}
