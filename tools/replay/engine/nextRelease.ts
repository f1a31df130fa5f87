import { captureTime } from '#shared/capture/captureTime.ts';
import { type CaptureRecord, type ReleaseRecord, isKnown } from '#shared/capture/format.ts';

/** The end of a capture, as a record: all waiting updates are released before it. */
export const END: CaptureRecord = { t: Infinity, type: 'end' };

/** The oldest waiting update of an engine. Times are milliseconds since the start of the recording. */
interface WaitingRelease {
  /** The tick that follows from its time of receipt and the tick before it. */
  readonly due: number;
  readonly launchedAt: number;
  /** The end of the replay. */
  readonly at: number;
}

/** A release in the past of a record. Times are milliseconds since the start of the recording. */
export interface NextRelease {
  /** When the update is released, and the tick that counts as its time. They differ only when the program was busy. */
  readonly time: number;
  readonly tick: number;
}

/**
 * Returns the release of the oldest waiting update, if it comes before `record`, the next one: at its tick, or at a `release` record, because no tick
 * ran from the record's `due` until then. A record that a session cannot contain does not delay an update.
 */
export function nextRelease(record: CaptureRecord, waiting: WaitingRelease): NextRelease | undefined {
  const { due, launchedAt, at } = waiting;
  const late = isRelease(record) ? captureTime(record.tick, launchedAt) : -1;
  const isLate =
    isRelease(record) && captureTime(record.due, launchedAt) <= due && due <= late && late <= record.t;
  const release = isLate ? { time: record.t, tick: late } : { time: due, tick: due };
  return release.time > Math.min(record.t, at) ? undefined : release;
}

const isRelease = (record: CaptureRecord): record is ReleaseRecord =>
  isKnown(record) && record.type === 'release';
