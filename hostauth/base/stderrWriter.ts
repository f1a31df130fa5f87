import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Lines are dropped while a pipe that is not read has more than this to be written, in bytes. */
const WAITING_BYTES = 1024 * 1024;
const STDERR = 2;

/**
 * Writes to stderr without ever throwing or blocking: what a full disk, a pipe that is closed or not read, or a stopped
 * terminal does not take is dropped. Node writes to pipes and sockets without blocking.
 */
export function createStderrWriter(): (lines: string) => void {
  // An error event without a listener would end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const stats = fstatSync(STDERR);
  if (stats.isFIFO() || stats.isSocket()) {
    return (lines) => {
      if (process.stderr.writableLength < WAITING_BYTES) process.stderr.write(lines);
    };
  }
  const fd = isatty(STDERR) ? nonBlockingTerminal() : STDERR;
  return (lines) => {
    try {
      writeSync(fd, lines);
    } catch {
      // What cannot be logged cannot be reported either.
    }
  };
}

/** Opens the terminal a second time, for writes that fail instead of waiting; it may be that of another user. */
function nonBlockingTerminal(): number {
  try {
    return openSync(
      `/proc/self/fd/${STDERR}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    return STDERR;
  }
}
