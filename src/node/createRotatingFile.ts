import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '#shared/formatText.ts';
import type { Clock } from '#shared/clock.ts';
import type { LineWriter } from './createLogger.ts';

interface Options {
  /** The newest file: `parley.log`; older ones are `parley.1.log`, `parley.2.log`. */
  readonly path: string;
  /** Maximum size of a file in bytes; a longer one is rotated. */
  readonly maxBytes: number;
  /** Maximum number of files, including the newest. */
  readonly maxFiles: number;
  readonly clock: Clock;
  /** Called when a line cannot be written; once until the recovery. */
  readonly onFailure: (error: unknown) => void;
  /** Called when lines are written again. */
  readonly onRecovery: () => void;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

interface OpenFile {
  readonly fd: number;
  size: number;
}

/**
 * Creates a writer that appends lines to a file at once and rotates it. It never throws:
 *
 *     closed ── write ──▶ open ── larger than `maxBytes` ──▶ renamed, a new one is opened
 *       ▲                  │
 *       └── 1 to 30 s ── failing: lines are counted and dropped; a partly written line is removed
 *
 * The first write after a failure also logs how many lines were lost.
 */
export function createRotatingFile(options: Options): LineWriter {
  const { path, maxBytes, clock, onFailure, onRecovery } = options;
  let file: OpenFile | undefined;
  let lost = 0;
  let retryMs = FIRST_RETRY_MS;
  let retryAt = 0;

  const fail = (error: unknown) => {
    if (file !== undefined) closeQuietly(file.fd);
    file = undefined;
    lost++;
    retryAt = clock.now() + retryMs;
    retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    if (lost === 1) onFailure(error);
  };
  const append = (lines: string) => {
    const bytes = Buffer.from(lines);
    file ??= openFile(path);
    if (file.size > 0 && file.size + bytes.length > maxBytes) {
      closeSync(file.fd);
      file = undefined;
      rotate(options);
      file = openFile(path);
    }
    writeWhole(file, bytes);
  };

  return {
    write(lines) {
      if (lost > 0 && clock.now() < retryAt) {
        lost++;
        return;
      }
      try {
        append(lost > 0 ? `${lostLine(lost)}${lines}` : lines);
      } catch (error) {
        fail(error);
        return;
      }
      if (lost === 0) return;
      lost = 0;
      retryMs = FIRST_RETRY_MS;
      onRecovery();
    },
  };
}

/** Creates the file's folder, but not its parents: a data folder that was removed stays removed. */
function openFile(path: string): OpenFile {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  const fd = openSync(path, 'a', 0o600);
  return { fd, size: fstatSync(fd).size };
}

/** Writes all bytes; when they do not fit, removes those that did. The file may have been emptied by another function. */
function writeWhole(file: OpenFile, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file.fd, bytes, written);
  } catch (error) {
    if (written > 0) ftruncateSync(file.fd, fstatSync(file.fd).size - written);
    throw error;
  }
  file.size += written;
}

/** Renames `parley.log` to `parley.1.log`, and so on; replaces the oldest. */
function rotate({ path, maxFiles }: Options): void {
  const nameOf = (age: number) => (age === 0 ? path : path.replace(/(?=\.[^.]*$)/, `.${age}`));
  for (let age = maxFiles - 2; age >= 0; age--) renameIfPresent(nameOf(age), nameOf(age + 1));
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The earlier failure is reported.
  }
}

const lostLine = (lost: number) =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), lost, msg: 'log lines were lost: they could not be written' })}\n`;
