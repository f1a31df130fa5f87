import { rm } from 'node:fs/promises';
import type { Logger } from '#node/createLogger.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { errorCode } from '#shared/formatText.ts';
import type { StoredCaptures } from '#shared/ipc/channels.ts';
import type { Preferences } from '#shared/ipc/preferencesSchema.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';
import type { CaptureEntry, CaptureFolder } from './captureFolder.ts';
import type { Recorder } from './recorder.ts';

interface Options {
  readonly folder: Pick<CaptureFolder, 'list'>;
  readonly recorder: Pick<Recorder, 'idle'>;
  readonly store: Pick<MainStore, 'getState'>;
  readonly listeners: Listeners;
  readonly today: () => Date;
  readonly log: Logger;
}

/** The stored captures. */
export type CaptureLimiter = ReturnType<typeof limitCaptures>;

/** Deletes recordings that exceed the limits of the preferences: now, after each session, and when a limit changes. */
export function limitCaptures({ folder, recorder, store, listeners, today, log }: Options) {
  const apply = async () => {
    const limits = store.getState().preferences;
    const selected = capturesToDelete(await folder.list(), limits, today().getTime());
    const deleted = await deleteAll(selected, log);
    if (deleted.length > 0) log.info(sumOf(deleted), 'old recordings were deleted');
  };
  let last: Promise<void> = Promise.resolve();
  const start = (after: Promise<void> = Promise.resolve()) => {
    last = last
      .then(() => after)
      .then(apply)
      .catch((error: unknown) =>
        log.error({ code: errorCode(error) }, 'old recordings could not be deleted'),
      );
  };
  listeners.startListening({ matcher: sessionEnded.match, effect: () => start(recorder.idle()) });
  listeners.startListening({
    matcher: preferencesChanged.match,
    effect: ({ payload }) => {
      if ('captureDays' in payload || 'captureMegabytes' in payload) start();
    },
  });
  start();
  return {
    /** Resolves to the stored amount after the limits were applied; zeros when the folder cannot be read. */
    async stored(): Promise<StoredCaptures> {
      await last;
      const captures = await folder.list().catch(() => []);
      return {
        recorded: sumOf(captures.filter(({ isRecording }) => isRecording)),
        saved: sumOf(captures.filter(({ isRecording }) => !isRecording)),
      };
    },
  };
}

const sumOf = (captures: readonly CaptureEntry[]) => ({
  files: captures.length,
  bytes: captures.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Deletes captures; resolves to the deleted ones. Failures are logged without the names. */
async function deleteAll(captures: readonly CaptureEntry[], log: Logger): Promise<CaptureEntry[]> {
  const deleted: CaptureEntry[] = [];
  for (const capture of captures) {
    try {
      await rm(capture.path, { force: true });
      deleted.push(capture);
    } catch (error) {
      log.warn({ code: errorCode(error) }, 'an old recording could not be deleted');
    }
  }
  return deleted;
}

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
