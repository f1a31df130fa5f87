import type { FileHandle } from 'node:fs/promises';
import { CAPTURE_FLUSH_MS, CAPTURE_WAITING_BYTES } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';

/** A file that is appended to as a session goes on. */
export interface CaptureFile {
  /** Puts a line, its newline with it, after the lines before. It is in the file soon; nothing waits for it. */
  append(line: string): void;
  /** Resolves when all is in the file and the file is closed; also when it has failed. */
  end(): Promise<void>;
}

/** What is needed of an open file. */
export type AppendHandle = Pick<FileHandle, 'appendFile' | 'close'>;

interface Options {
  readonly open: () => Promise<AppendHandle>;
  readonly clock: Clock;
  /** The file cannot be written any more; called once, and nothing is written from then on. */
  readonly onFailure: (error: unknown) => void;
}

/** The disk takes less than the session gives. */
class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
  readonly code = 'TOOSLOW';
}

/**
 * Appends without ever waiting for the disk:
 *
 *     empty ── append ──▶ gathering ── 500 ms ──▶ writing, in order, while the next lines gather
 *       ▲                                            │
 *       └────────────────────────────────────────────┘         a failure, from anywhere ──▶ failed: deaf
 */
export function captureFile({ open, clock, onFailure }: Options): CaptureFile {
  let lines: string[] = [];
  /** Characters that are not in the file yet. */
  let waiting = 0;
  let hasFailed = false;
  let cancelFlush: Cancel | undefined;

  const fail = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    lines = [];
    cancelFlush?.();
    onFailure(error);
  };
  const handle = open().catch(fail);
  let written: Promise<unknown> = handle;

  const write = async (text: string) => {
    const file = await handle;
    if (hasFailed || !file) return;
    await file.appendFile(text).catch(fail);
    waiting -= text.length;
  };
  const flush = () => {
    cancelFlush?.();
    cancelFlush = undefined;
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    written = written.then(() => write(text));
  };

  return {
    append(line) {
      if (hasFailed) return;
      lines.push(line);
      waiting += line.length;
      cancelFlush ??= clock.after(CAPTURE_FLUSH_MS, flush);
      if (waiting > CAPTURE_WAITING_BYTES) fail(new TooSlowError('the disk is too slow'));
    },
    async end() {
      flush();
      await written;
      await (await handle)?.close().catch(fail);
    },
  };
}
