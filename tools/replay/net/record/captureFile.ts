import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileErrorReason } from '#files/fileErrorReason.ts';
import { headerLine, inPieces, recordLine } from '#shared/capture/captureLine.ts';
import type { CaptureHeader, KnownRecord } from '#shared/capture/format.ts';
import { errorCode } from '#shared/errorCode.ts';
import { type Clock, every } from '#shared/time/clock.ts';

/** The maximum time in memory before a record is written: after a kill, the file ends at the last flush. */
const FLUSH_MS = 1000;

/** A capture that is being recorded. */
export interface CaptureFile {
  /** Appends a record, which is written within a second. Does nothing after a failure. */
  add(record: KnownRecord): void;
  /** Writes the remaining records and closes the file. */
  end(): Promise<void>;
}

interface Options {
  readonly path: string;
  readonly header: CaptureHeader;
  readonly clock: Clock;
  /** Is called once when the file cannot be written, for example on a full disk. Then nothing more is recorded. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Creates the empty file of a new capture, and returns its path. When the name exists, because another recorder started at the same time, a
 * number is added. When the file cannot be created, its writer reports why.
 * @param name the path without the ending.
 */
export function createCapture(name: string): string {
  for (let number = 1; ; number++) {
    const path = `${name}${number === 1 ? '' : `-${number}`}.parley.jsonl`;
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return path;
    }
  }
}

/** Begins a capture that only its owner can read. A failure ends the recording, never the session. */
export function captureFile({ path, header, clock, onFailure }: Options): CaptureFile {
  let lines = [headerLine(header)];
  let hasFailed = false;
  let file: FileHandle | undefined;
  /** Writes are sequential, so that lines stay in order. */
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (lines.length === 0 || hasFailed) return;
    const pieces = inPieces(lines);
    lines = [];
    try {
      file ??= await open(path, 'a', 0o600);
      for (const piece of pieces) await file.appendFile(piece);
    } catch (error) {
      hasFailed = true;
      lines = [];
      onFailure(`${path}: cannot be written: ${fileErrorReason(error)}`);
    }
  };
  const flush = () => (writing = writing.then(write));
  const cancel = every(clock, FLUSH_MS, () => void flush());
  void flush();

  return {
    add(record) {
      if (!hasFailed) lines.push(recordLine(record));
    },
    async end() {
      cancel();
      await flush();
      await file?.close();
    },
  };
}
