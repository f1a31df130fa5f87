import { fileErrorReason } from '#files/fileErrorReason.ts';
import type { SavedSession } from '#shared/ipc/tools.ts';
import { gapLine, headerLine, inPieces, recordLine } from '#shared/capture/captureLine.ts';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type KnownRecord,
} from '#shared/capture/format.ts';
import { CAPTURE_QUIT_MS, CAPTURE_RING_BYTES } from '#shared/limits.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { FaultNotes } from '../window/faultNotes.ts';
import type { Logger } from '#log/createLogger.ts';
import { type AppendHandle, type CaptureFile, captureFile } from './captureFile.ts';
import type { CaptureFolder } from './captureFolder.ts';
import { type CaptureRing, captureRing } from './captureRing.ts';
import type { CaptureSink } from '../store/captureSink.ts';
import { pendingWork } from './pendingWork.ts';

interface Options {
  readonly folder: Pick<CaptureFolder, 'save'> & { create(startedAt: string): Promise<AppendHandle> };
  readonly clock: Clock;
  /** The time of day, for a capture's name and header. */
  readonly today: () => Date;
  /** The program's version. */
  readonly version: string;
  /** Whether each session is written to a file (`PARLEY_CAPTURE`); the ring is always there. */
  readonly writesFiles: boolean;
  readonly log: Logger;
  /** Shows the person that a session cannot be written to its file, and that it is written again. */
  readonly faults: FaultNotes;
}

/** Records the session that is on. */
export interface Recorder extends CaptureSink {
  /** Writes what is in memory of the session to a file of its own. Never rejects. */
  save(): Promise<SavedSession>;
  /**
   * Tells the session that is on as a capture: what is in memory of it at once, then each further line until it ends.
   * Gives what ends it earlier.
   */
  follow(follower: Follower): () => void;
  /** Resolves when every file is complete, or 1 s has passed; `undefined` when there is nothing to wait for. */
  settling(): Promise<void> | undefined;
  /** Resolves when no file is being written, however long it takes. The session must have ended. */
  idle(): Promise<void>;
}

/** Follows a session. */
export interface Follower {
  /** Whole lines, each with its newline; the header is the first. */
  lines(text: string): void;
  /** The session has ended, or there is none. */
  ended(): void;
}

interface Recording {
  readonly header: CaptureHeader;
  readonly ring: CaptureRing;
  readonly file: CaptureFile | undefined;
}

/**
 * A session's records go to the ring and, if so set, to a file:
 *
 *     no session ── launched ──▶ recording ── ended ──▶ no session, while the file is completed
 */
export function createRecorder(options: Options): Recorder {
  const { clock, writesFiles } = options;
  const work = pendingWork(clock);
  let recording: Recording | undefined;
  let lastSave: Promise<unknown> = Promise.resolve();
  const followers = new Set<Follower>();
  return {
    launched() {
      const header = headerOf(options);
      const ring = captureRing(CAPTURE_RING_BYTES);
      const file = writesFiles ? openFile(header, ring, options) : undefined;
      recording = { header, ring, file };
    },
    record(record, update) {
      recording?.ring.record(record, update);
      if (recording?.file === undefined && followers.size === 0) return;
      const line = recordLine(record);
      recording?.file?.append(line);
      for (const follower of followers) follower.lines(line);
    },
    ended() {
      const file = recording?.file;
      recording = undefined;
      if (file !== undefined) void work.add(file.end().then(() => options.faults.ended('recording')));
      for (const follower of followers) follower.ended();
      followers.clear();
    },
    follow(follower) {
      if (recording === undefined) {
        follower.ended();
        return () => {};
      }
      const { header, ring } = recording;
      for (const piece of piecesOf(ring.records(), headerLine(header))) follower.lines(piece);
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    async save() {
      if (recording === undefined) return { error: 'There is no session to save.' };
      const current = recording;
      // One after the other: each takes a name that is free.
      const saving = work.add(lastSave.then(() => save(current, options)));
      lastSave = saving;
      return saving;
    },
    settling: () => work.settled(CAPTURE_QUIT_MS),
    idle: work.all,
  };
}

const headerOf = ({ today, version }: Options): CaptureHeader => ({
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: today().toISOString(),
  app: version,
});

/** The session's file; when it cannot be written, the session goes on and the file is tried again. */
function openFile(header: CaptureHeader, ring: CaptureRing, options: Options): CaptureFile {
  const { folder, clock, log, faults } = options;
  return captureFile({
    header: headerLine(header),
    open: () => folder.create(header.startedAt),
    clock,
    onFailure(error) {
      log.error({ why: fileErrorReason(error) }, 'recording is paused: the capture cannot be written');
      faults.paused('recording', error);
    },
    onRecovery() {
      log.info('recording continues: the capture is written again');
      faults.resumed('recording');
    },
    replaceLost: (lost) => gap(ring.records(), lost),
  });
}

/**
 * What a capture contains in place of `lost` records of which the ring has the newest: a record that says how many are
 * missing, then what they amounted to.
 */
function* gap(records: readonly KnownRecord[], lost: number): Generator<string, void> {
  const kept = records.filter((record) => !('synthetic' in record)).length;
  yield gapLine(records[0]?.t ?? 0, Math.max(lost - kept, 0));
  yield* piecesOf(records);
}

async function save({ header, ring }: Recording, { folder, log }: Options): Promise<SavedSession> {
  try {
    return { path: await folder.save(header.startedAt, piecesOf(ring.records(), headerLine(header))) };
  } catch (error) {
    const why = fileErrorReason(error);
    log.error({ why }, 'the session could not be saved');
    return { error: `The session could not be saved: ${why}.` };
  }
}

/** Lines of a capture, in pieces: a long one is never in one string. */
const piecesOf = (records: readonly KnownRecord[], first?: string) => inPieces(linesOf(records, first));

function* linesOf(records: readonly KnownRecord[], first = ''): Generator<string, void> {
  yield first;
  for (const record of records) yield recordLine(record);
}
