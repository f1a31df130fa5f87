import { type Stats, constants, fstatSync, openSync, writeSync } from 'node:fs';

/** Writes whole lines. */
export interface LineWriter {
  write(lines: string): void;
}

const STDERR = 2;
/** Maximum number of bytes that wait for a pipe that is not read; further lines are dropped. */
const WAITING_BYTES = 1024 * 1024;

/**
 * Creates a writer of lines to stderr. It never throws or blocks: a line that cannot be written (a full disk, a pipe that is
 * closed or not read, a stopped terminal) is dropped.
 */
export function createStderrWriter(): LineWriter {
  // An error event without a listener would end the process.
  process.stderr.on('error', ignore);
  const stats = statsOf(STDERR);
  if (stats === undefined) return { write: ignore };
  if (stats.isFIFO() || stats.isSocket()) return { write: writeToPipe };
  const fd = process.stderr.isTTY ? nonBlocking() : STDERR;
  return {
    write(lines) {
      try {
        writeSync(fd, lines);
      } catch {
        ignore();
      }
    },
  };
}

/** Ignores an error of stderr: it cannot be reported anywhere. */
const ignore = (): void => undefined;

function statsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    ignore();
    return undefined;
  }
}

/** Writes to a pipe. Node does this without blocking and queues the rest. */
function writeToPipe(lines: string): void {
  if (process.stderr.writableLength < WAITING_BYTES) process.stderr.write(lines);
}

/** Opens the terminal again, so that a write to a stopped one fails instead of waiting; only Linux supports this. */
function nonBlocking(): number {
  try {
    return openSync(
      `/proc/self/fd/${STDERR}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    ignore();
    return STDERR;
  }
}
