import type { Preferences } from '#shared/ipc/preferencesSchema.ts';
import type { CaptureEntry } from './captureFolder.ts';

/** The limits of age and total size of the recordings; `null` means no limit. */
export type CaptureLimits = Pick<Preferences, 'captureDays' | 'captureMegabytes'>;

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;

/**
 * Selects the recordings that exceed the limits, the oldest first: those whose last record is older than `captureDays`, then
 * as many as exceed `captureMegabytes` in total. The recording that is being written counts and is never selected. Saved
 * captures do not count and are never selected.
 */
export function capturesToDelete(
  captures: readonly CaptureEntry[],
  { captureDays, captureMegabytes }: CaptureLimits,
  now: number,
): CaptureEntry[] {
  const recordings = captures
    .filter(({ isRecording }) => isRecording)
    .sort((a, b) => a.writtenAt - b.writtenAt || (a.path < b.path ? -1 : 1));
  const oldest = captureDays === null ? Number.NEGATIVE_INFINITY : now - captureDays * DAY_MS;
  const limit = captureMegabytes === null ? Number.POSITIVE_INFINITY : captureMegabytes * MEGABYTE;
  let total = recordings.reduce((sum, { bytes }) => sum + bytes, 0);
  return recordings.filter(({ isOpen, writtenAt, bytes }) => {
    if (isOpen || (writtenAt >= oldest && total <= limit)) return false;
    total -= bytes;
    return true;
  });
}
