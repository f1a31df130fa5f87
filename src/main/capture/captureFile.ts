import { inPieces } from '#shared/capture/captureFormat.ts';
import type { FileHandle } from 'node:fs/promises';
import type { Cancel, Clock } from '#shared/clock.ts';
import {
  CAPTURE_FLUSH_MS,
  CAPTURE_MAX_RETRY_MS,
  CAPTURE_PAUSE_BYTES,
  CAPTURE_RETRY_MS,
  CAPTURE_STALL_MS,
  CAPTURE_WAITING_BYTES,
} from '#shared/limits.ts';
import { afterResponsiveTime } from '../base/afterResponsiveTime.ts';

/** A file to which a session's lines are appended. */
export type CaptureFile = ReturnType<typeof captureFile>;

interface Options {
  readonly open: () => Promise<AppendHandle>;
  /** The file's first line with its newline. It is written with the first appended line, and never lost. */
  readonly header: string;
  readonly clock: Clock;
  /** The file takes lines more slowly than they come (`true`): nothing is lost if the session waits until it is called again (`false`). */
  readonly onBacklog: (isTooLong: boolean) => void;
  /** Lines cannot be written. Called once until they are written again. */
  readonly onFailure: (error: unknown) => void;
  /** Lines are written again. */
  readonly onRecovery: () => void;
  /** Returns whole lines that replace the newest `lost` lines, which exceeded the memory limit; `areAll`: no line was written before them. */
  readonly replaceLost: (lost: number, areAll: boolean) => Iterable<string>;
}

/** The disk does not write. */
class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
  readonly code = 'TOOSLOW';
}

/**
 * Creates a capture file. It appends without waiting for the disk:
 *
 *     empty ── append ──▶ gathering ── 500 ms, or 32 MB ──▶ writing, while the next lines gather: over 32 MB, the session waits
 *       ▲                    ▲                                 │     │
 *       │                    └── 1 s to 60 s ───────── failing ◀─────┘ failure, or 10 s of waiting without progress
 *       └────────────────────────────────────── written ───────┘
 *
 * After a failure the file is cut back to its last whole line, and the lines stay in memory until they are written. The session does not wait for a
 * disk that fails: when 64 MB of lines have gathered they are dropped, and `replaceLost` fills the gap as soon as the file can be written.
 */
export function captureFile(options: Options) {
  const { clock } = options;
  const file = wholeLines(options);
  const gathered = createGatheredLines();
  const failures = createFailureState(options);
  const backlog = createBacklog(options, failures.fail);
  let cancelFlush: Cancel | undefined;
  let writing: Promise<void> | undefined;

  const isTooLong = () => gathered.isLong() && !failures.isFailing();
  const checkBacklog = () => backlog.set(writing !== undefined && isTooLong());
  const flush = async (): Promise<void> => {
    cancelFlush?.();
    cancelFlush = undefined;
    if (writing !== undefined || gathered.isEmpty()) return;
    writing = writeGathered({ file, gathered, failures, backlog }, options);
    await writing;
    writing = undefined;
    checkBacklog();
    await flushNext();
  };
  /** Resolves when nothing is being written. */
  const written = async (): Promise<void> => {
    await writing;
    if (writing !== undefined) await written();
  };
  /** Writes the lines that have gathered: at once when they are long, otherwise later. */
  const flushNext = async () => {
    if (isTooLong()) return flush();
    if (gathered.isEmpty() || cancelFlush !== undefined || writing !== undefined) return;
    const delay = failures.isFailing() ? failures.nextRetryMs() : CAPTURE_FLUSH_MS;
    cancelFlush = clock.after(delay, () => void flush());
  };

  return {
    /** Appends a line with its newline. The line is written soon. `onBacklog` says when the caller must wait. */
    append(line: string): void {
      gathered.add(line, failures.isFailing());
      void flushNext();
      checkBacklog();
    },
    /** Writes the waiting lines, in one attempt, and closes the file. Never rejects. */
    async end(): Promise<void> {
      await written();
      await flush();
      cancelFlush?.();
      await file.close();
    },
  };
}

interface Parts {
  readonly file: ReturnType<typeof wholeLines>;
  readonly gathered: ReturnType<typeof createGatheredLines>;
  readonly failures: ReturnType<typeof createFailureState>;
  readonly backlog: ReturnType<typeof createBacklog>;
}

/** Writes the lines that have gathered. They are put back when the disk fails. */
async function writeGathered(
  { file, gathered, failures, backlog }: Parts,
  { replaceLost }: Pick<Options, 'replaceLost'>,
): Promise<void> {
  const batch = gathered.take();
  // Before the first pause: further records are in the next lines.
  const lines = batch.lost > 0 ? replaceLost(batch.lost, file.isEmpty()) : batch.lines;
  try {
    await file.append(lines, backlog.onProgress);
    failures.succeed();
  } catch (error) {
    gathered.putBack(batch);
    failures.fail(error);
  }
}

/** Says when the session must wait. The disk has failed when it has made no progress for 10 s in which the session waits. */
function createBacklog(
  { clock, onBacklog }: Pick<Options, 'clock' | 'onBacklog'>,
  onFailure: (error: Error) => void,
) {
  let cancelStall: Cancel | undefined;
  const stalled = () => {
    onFailure(new TooSlowError('the disk is too slow'));
    set(false);
  };
  const watchStall = () => afterResponsiveTime(clock, CAPTURE_STALL_MS, stalled);
  const set = (isTooLong: boolean) => {
    if (isTooLong === (cancelStall !== undefined)) return;
    cancelStall?.();
    cancelStall = isTooLong ? watchStall() : undefined;
    onBacklog(isTooLong);
  };
  return {
    set,
    onProgress(): void {
      if (cancelStall === undefined) return;
      cancelStall();
      cancelStall = watchStall();
    },
  };
}

/** Tracks whether writing fails. Reports the first failure and the recovery, and computes the delay before each retry. */
function createFailureState({ onFailure, onRecovery }: Pick<Options, 'onFailure' | 'onRecovery'>) {
  let isFailing = false;
  let retryMs = CAPTURE_RETRY_MS;
  return {
    isFailing: () => isFailing,
    fail(error: unknown): void {
      if (!isFailing) onFailure(error);
      isFailing = true;
    },
    succeed(): void {
      if (isFailing) onRecovery();
      isFailing = false;
      retryMs = CAPTURE_RETRY_MS;
    },
    /** Returns the delay before the next retry, and doubles the one after it. */
    nextRetryMs(): number {
      const delay = retryMs;
      retryMs = Math.min(2 * retryMs, CAPTURE_MAX_RETRY_MS);
      return delay;
    },
  };
}

interface Batch {
  readonly lines: readonly string[];
  /** Lines that were dropped. While there are any, further lines are only counted: the replacement contains them. */
  readonly lost: number;
}

/** Stores the lines that wait to be written, up to a limit. */
function createGatheredLines() {
  let lines: string[] = [];
  let characters = 0;
  let lost = 0;

  const keep = (batch: Batch) => {
    lines = [...batch.lines];
    characters = lines.reduce((length, line) => length + line.length, 0);
    lost = batch.lost;
  };
  return {
    isEmpty: () => lines.length === 0 && lost === 0,
    /** Returns whether the session must wait until some of them are written. */
    isLong: () => characters > CAPTURE_PAUSE_BYTES,
    /** Adds a line. Drops the lines before it when they exceed the limit and the disk fails; one line may be larger than the limit. */
    add(line: string, isFailing: boolean): void {
      const isFull = isFailing && lost === 0 && characters > CAPTURE_WAITING_BYTES;
      if (isFull) keep({ lines: [], lost: lines.length });
      if (lost > 0) lost++;
      else {
        lines.push(line);
        characters += line.length;
      }
    },
    take(): Batch {
      const batch = { lines, lost };
      keep({ lines: [], lost: 0 });
      return batch;
    },
    /** Puts a batch that was not written before the lines that gathered since. */
    putBack(batch: Batch): void {
      const isLost = batch.lost + lost > 0;
      if (isLost) keep({ lines: [], lost: batch.lost + batch.lines.length + lost + lines.length });
      else keep({ lines: [...batch.lines, ...lines], lost: 0 });
    },
  };
}

/** The used part of an open file handle. */
export type AppendHandle = Pick<FileHandle, 'appendFile' | 'truncate' | 'close'>;

interface WholeLinesOptions {
  readonly open: () => Promise<AppendHandle>;
  /** The file's first line with its newline. */
  readonly header: string;
}

/** Creates a file that contains whole lines only, also after a write that failed half way. */
function wholeLines({ open, header }: WholeLinesOptions) {
  let handle: AppendHandle | undefined;
  /** Bytes of whole lines. */
  let size = 0;
  let isWhole = true;
  function* withHeader(lines: Iterable<string>): Generator<string, void> {
    yield header;
    yield* lines;
  }
  const repair = async (file: AppendHandle) => {
    if (!isWhole) await file.truncate(size);
    isWhole = true;
  };
  return {
    /** Returns whether no line was appended yet. */
    isEmpty: () => size === 0,
    /**
     * Appends whole lines, piece by piece: together they can be longer than a string can be.
     * @param onWritten is called after each piece.
     */
    async append(lines: Iterable<string>, onWritten: () => void): Promise<void> {
      handle ??= await open();
      await repair(handle);
      isWhole = false;
      let bytes = 0;
      for (const piece of inPieces(size === 0 ? withHeader(lines) : lines)) {
        await handle.appendFile(piece);
        onWritten();
        bytes += Buffer.byteLength(piece);
      }
      isWhole = true;
      size += bytes;
    },
    async close(): Promise<void> {
      try {
        if (handle !== undefined) await repair(handle);
      } catch {
        // Readers warn of a truncated last line, and skip it.
      } finally {
        await handle?.close().catch(() => {});
      }
    },
  };
}
