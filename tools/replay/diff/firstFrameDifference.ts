import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import { isFrame } from '../engine/frames.ts';

/** The first frames in which two captures differ; one is missing when its capture has fewer frames. */
export interface FrameDifference {
  /** The frame's number, counting both directions, from 1. */
  readonly number: number;
  readonly a?: FrameRecord;
  readonly b?: FrameRecord;
}

/** Returns the first frame whose direction or data differ; times are not compared. */
export function firstFrameDifference(
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
