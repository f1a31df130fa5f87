import { sinceLaunch } from '#shared/store/queue.ts';
import {
  gapLine,
  headerLine,
  inPieces,
  recordLine,
  captureTime,
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type KnownRecord,
} from '#shared/capture/captureFormat.ts';
import { type ActsState, initialActs, reduceActs, actionRecord } from '#shared/capture/recordedActions.ts';
import type { Logger } from '#node/createLogger.ts';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { type Clock, roundTime } from '#shared/clock.ts';
import type { SavedSession } from '#shared/ipc/channels.ts';
import { CAPTURE_QUIT_MS, CAPTURE_RING_BYTES } from '#shared/limits.ts';
import type { FrameError, Update } from '#shared/protocol/update.ts';
import type { CaptureSink, Source } from '../store/mainStore.ts';
import type { Faults } from '../window/createNotices.ts';
import { type AppendHandle, type CaptureFile, captureFile } from './captureFile.ts';
import type { CaptureFolder } from './captureFolder.ts';
import { type CaptureRing, captureRing } from './captureRing.ts';

interface Options {
  readonly folder: Pick<CaptureFolder, 'save'> & { create(startedAt: string): Promise<AppendHandle> };
  readonly clock: Clock;
  /** Returns the time of day, for a capture's name and header. */
  readonly today: () => Date;
  /** The program's version. */
  readonly version: string;
  /** Whether each session is written to a file (`PARLEY_CAPTURE`); the ring always exists. */
  readonly writesFiles: boolean;
  readonly log: Logger;
  /** Notifies the person when a session cannot be written to its file, and when it is written again. */
  readonly faults: Faults;
}

/** Records the current session. */
export interface Recorder extends CaptureSink {
  /** Saves the part of the session that is in memory to a new file. Never rejects. */
  save(): Promise<SavedSession>;
  /**
   * Sends the current session as a capture: the part in memory at once, then each further line until it ends. Returns a
   * function that stops earlier.
   */
  follow(follower: Follower): () => void;
  /** Resolves when every file is complete, or after 1 s. Returns `undefined` when no file is being written. */
  settling(): Promise<void> | undefined;
  /**
   * Drops what was recorded since the last session, and the contents of the windows, because the person's data was deleted. The next recording
   * begins with windows that show nothing: request their state. Does nothing during a session.
   */
  forget(): void;
  /** Resolves when no file is being written. The session must have ended. */
  idle(): Promise<void>;
}

/** Follows a session. */
interface Follower {
  /** Receives whole lines with their newlines; the header is the first. */
  lines(text: string): void;
  /** The session has ended, or there is none. */
  ended(): void;
}

interface Recording {
  readonly header: CaptureHeader;
  readonly ring: CaptureRing;
  /** Its start, milliseconds of the clock. */
  readonly startedAt: number;
  /** The launch of its session: a time of the clock, and the time in the capture. */
  launch: { readonly at: number; readonly t: number } | undefined;
  /** The file, from the launch on. */
  file: CaptureFile | undefined;
  /** Waits while the file cannot take more. */
  source: Source | undefined;
}

/**
 * Creates the recorder. A recording starts with the program, or when a session ends, from the state of that time. Its records go to the ring
 * and, from the launch and with `writesFiles`, to a file. A recording without a session is never written:
 *
 *     no session ── launched: the file begins with the ring ──▶ session ── ended: another recording starts ──▶ no session
 */
export function createRecorder(options: Options): Recorder {
  const { clock, writesFiles } = options;
  const work = pendingWork(clock);
  let recording = begin(options, initialActs);
  let lastSave: Promise<unknown> = Promise.resolve();
  const followers = createFollowers();
  const add = (record: KnownRecord, update?: Update | FrameError) => {
    const { ring, file } = recording;
    ring.record(record, update);
    if (file === undefined && followers.isEmpty()) return;
    const line = recordLine(record);
    file?.append(line);
    followers.sendLine(line);
  };
  return {
    action: (action, now) => add(actionRecord(action, timeOf(recording, now))),
    launched(launchedAt) {
      const t = roundTime(launchedAt - recording.startedAt);
      recording.launch = { at: launchedAt, t };
      add({ t, type: 'launch' });
      if (writesFiles) recording.file = openFile(recording, options);
    },
    record(record, update) {
      if (recording.launch === undefined) return;
      add({ ...record, t: captureTime(record.t, recording.launch.t) }, update);
    },
    pauseWhileFull: (source) => void (recording.source = source),
    ended() {
      const { file } = recording;
      recording.source = undefined;
      recording = beginAfter(recording, options);
      if (file !== undefined) void work.add(file.end().then(() => options.faults.ended('recording')));
      followers.end();
    },
    follow: (follower) => followers.follow(follower, recording),
    async save() {
      const current = recording;
      if (current.launch === undefined) return { error: 'There is no session to save.' };
      // One after the other, because each takes a free name.
      const saving = work.add(lastSave.then(() => save(current, options)));
      lastSave = saving;
      return saving;
    },
    forget() {
      if (recording.launch === undefined) recording = beginAfter(recording, options);
    },
    settling: () => work.settled(CAPTURE_QUIT_MS),
    idle: work.all,
  };
}

/** Creates the list of those who follow the session. */
function createFollowers() {
  const followers = new Set<Follower>();
  return {
    isEmpty: () => followers.size === 0,
    sendLine(line: string): void {
      for (const follower of followers) follower.lines(line);
    },
    end(): void {
      for (const follower of followers) follower.ended();
      followers.clear();
    },
    /** Sends the recording so far, and further lines until the session ends; returns a function that stops it. */
    follow(follower: Follower, recording: Recording): () => void {
      if (recording.launch === undefined) {
        follower.ended();
        return () => {};
      }
      for (const piece of piecesSoFar(recording)) follower.lines(piece);
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/** Starts a recording. @param acts the state at its start. */
const begin = (options: Options, acts: ActsState): Recording => ({
  header: headerOf(options),
  ring: captureRing(CAPTURE_RING_BYTES, acts),
  startedAt: options.clock.now(),
  launch: undefined,
  file: undefined,
  source: undefined,
});

/** Starts the recording that follows another one: its windows are as new ones, because the next session may be another person's. */
const beginAfter = ({ ring }: Recording, options: Options): Recording =>
  begin(options, reduceActs(ring.acts(), sessionEnded()));

/** Returns the time in the capture. During a session it is the sum of two rounded times, so that a replay knows the time since the launch exactly. */
const timeOf = ({ startedAt, launch }: Recording, now: number): number =>
  launch === undefined ? roundTime(now - startedAt) : captureTime(sinceLaunch(now, launch.at), launch.t);

const headerOf = ({ today, version }: Options): CaptureHeader => ({
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: today().toISOString(),
  app: version,
});

/** Opens the session's file. When it cannot be written, the session continues and the write is retried. */
function openFile(recording: Recording, options: Options): CaptureFile {
  const { header, ring } = recording;
  const { folder, clock, log, faults } = options;
  const file = captureFile({
    header: headerLine(header),
    open: () => folder.create(header.startedAt),
    clock,
    onBacklog: (isTooLong) => (isTooLong ? recording.source?.pause() : recording.source?.resume()),
    onFailure(error) {
      log.error({ why: fileErrorReason(error) }, 'recording is paused: the capture cannot be written');
      faults.paused('recording', error);
    },
    onRecovery() {
      log.info('recording continues: the capture is written again');
      faults.resumed('recording');
    },
    replaceLost: (lost, areAll) => gap(ring.records(), lost, areAll),
  });
  for (const record of ring.records()) file.append(recordLine(record));
  return file;
}

/**
 * Returns the lines in place of the newest `lost` lines, of which the ring has a part: a gap at the time of the last missing record, and the
 * records that lead from there to the current state. The launch is in the file already, unless these are all of its lines.
 */
function* gap(records: readonly KnownRecord[], lost: number, areAll: boolean): Generator<string, void> {
  const kept = records.filter((record) => !('synthetic' in record)).length;
  const after = records.filter((record) => !isLaunch(record));
  if (areAll) yield* piecesOf(records.filter(isLaunch));
  yield gapLine(after[0]?.t ?? 0, Math.max(lost - kept, 0));
  yield* piecesOf(after);
}

/** Returns whether a record is the launch of a session whose beginning is missing. */
const isLaunch = (record: KnownRecord): boolean => record.type === 'launch' && 'synthetic' in record;

async function save(recording: Recording, { folder, log }: Options): Promise<SavedSession> {
  try {
    return { path: await folder.save(recording.header.startedAt, piecesSoFar(recording)) };
  } catch (error) {
    const why = fileErrorReason(error);
    log.error({ why }, 'the session could not be saved');
    return { error: `The session could not be saved: ${why}.` };
  }
}

/** Returns a recording's lines so far, with the header. */
const piecesSoFar = ({ header, ring }: Recording) => piecesOf(ring.records(), headerLine(header));

/** Returns the lines of a capture in pieces, because a long capture exceeds the length of a string. */
const piecesOf = (records: readonly KnownRecord[], first?: string) => inPieces(linesOf(records, first));

function* linesOf(records: readonly KnownRecord[], first = ''): Generator<string, void> {
  yield first;
  for (const record of records) yield recordLine(record);
}

/** Creates the work that the program waits for before it ends, for a limited time. */
function pendingWork(clock: Clock) {
  const open = new Set<Promise<unknown>>();
  return {
    /** Adds work that never rejects; returns its promise. */
    async add<T>(work: Promise<T>): Promise<T> {
      open.add(work);
      const result = await work;
      open.delete(work);
      return result;
    },
    /** Resolves when all work is done, or after `ms`. Returns `undefined` when there is no work. */
    settled(ms: number): Promise<void> | undefined {
      if (open.size === 0) return undefined;
      const giveUp = new Promise<void>((resolve) => void clock.after(ms, resolve));
      return Promise.race([Promise.all(open), giveUp]).then(() => open.clear());
    },
    /** Resolves when all work is done. */
    all: async (): Promise<void> => void (await Promise.all(open)),
  };
}
