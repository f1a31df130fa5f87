import type { FileHandle } from 'node:fs/promises';
import { inPieces } from '#shared/capture/captureLine.ts';
import {
  CAPTURE_FLUSH_MS,
  CAPTURE_MAX_RETRY_MS,
  CAPTURE_RETRY_MS,
  CAPTURE_WAITING_BYTES,
} from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';

/** A file to which a session's lines are appended. */
export interface CaptureFile {
  /** Appends a line with its newline. The line is written soon; the caller does not wait. */
  append(line: string): void;
  /** Writes the waiting lines, in one attempt, and closes the file. Never rejects. */
  end(): Promise<void>;
}

/** The used part of an open file handle. */
export type AppendHandle = Pick<FileHandle, 'appendFile' | 'truncate' | 'close'>;

interface Options {
  readonly open: () => Promise<AppendHandle>;
  /** The file's first line with its newline. It is written with the first appended line, and never lost. */
  readonly header: string;
  readonly clock: Clock;
  /** Lines cannot be written. Called once until they are written again. */
  readonly onFailure: (error: unknown) => void;
  /** Lines are written again. */
  readonly onRecovery: () => void;
  /** Returns whole lines that replace the newest `lost` lines, which exceeded the memory limit. */
  readonly replaceLost: (lost: number) => Iterable<string>;
}

/** The disk is slower than the session. */
class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
  readonly code = 'TOOSLOW';
}

/**
 * Creates a capture file. It appends without waiting for the disk:
 *
 *     empty ── append ──▶ gathering ── 500 ms ──▶ writing, while the next lines gather
 *       ▲                    ▲                       │     │
 *       │                    └── 1 s to 60 s ── failing ◀──┘ failure
 *       └──────────────────────────── written ───────┘
 *
 * After a failure the file is cut back to its last whole line, and the lines stay in memory until they are written. When
 * 64 MB of them have gathered they are dropped, and `replaceLost` fills the gap as soon as the file can be written.
 */
export function captureFile(options: Options): CaptureFile {
  const { clock, replaceLost } = options;
  const file = wholeLines(options);
  const gathered = createGatheredLines();
  const failures = createFailureState(options);
  let cancelFlush: Cancel | undefined;
  let writing: Promise<void> | undefined;

  const write = async () => {
    const batch = gathered.take();
    try {
      await file.append(batch.lost > 0 ? replaceLost(batch.lost) : batch.lines);
      failures.succeed();
    } catch (error) {
      gathered.putBack(batch);
      failures.fail(error);
    }
  };
  const flush = async () => {
    cancelFlush?.();
    cancelFlush = undefined;
    if (writing !== undefined || gathered.isEmpty()) return;
    writing = write();
    await writing;
    writing = undefined;
    if (!gathered.isEmpty()) flushLater();
  };
  const flushLater = () => {
    if (cancelFlush !== undefined || writing !== undefined) return;
    const delay = failures.isFailing() ? failures.nextRetryMs() : CAPTURE_FLUSH_MS;
    cancelFlush = clock.after(delay, () => void flush());
  };

  return {
    append(line) {
      if (!gathered.add(line)) failures.fail(new TooSlowError('the disk is too slow'));
      flushLater();
    },
    async end() {
      await writing;
      await flush();
      cancelFlush?.();
      await file.close();
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
    /** Adds a line; `false` when the lines before it had to be dropped. One line may be larger than the limit. */
    add(line: string): boolean {
      const isFull = lost === 0 && characters > CAPTURE_WAITING_BYTES;
      if (isFull) keep({ lines: [], lost: lines.length });
      if (lost > 0) lost++;
      else {
        lines.push(line);
        characters += line.length;
      }
      return !isFull;
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

/** Creates a file that contains whole lines only, also after a write that failed half way. */
function wholeLines({ open, header }: Pick<Options, 'open' | 'header'>) {
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
    /** Appends whole lines, piece by piece: together they can be longer than a string can be. */
    async append(lines: Iterable<string>): Promise<void> {
      handle ??= await open();
      await repair(handle);
      isWhole = false;
      let bytes = 0;
      for (const piece of inPieces(size === 0 ? withHeader(lines) : lines)) {
        await handle.appendFile(piece);
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
