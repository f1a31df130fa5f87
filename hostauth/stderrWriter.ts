import { fstatSync, writeSync } from 'node:fs';

/** Lines are dropped while a pipe that is not read has more than this to be written, in bytes. */
const WAITING_BYTES = 1024 * 1024;
const STDERR = 2;

/**
 * Writes to stderr without ever throwing or blocking: what a full disk or a pipe that is closed or not read does not
 * take is dropped. Node writes to pipes and sockets without blocking.
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
  return (lines) => {
    try {
      writeSync(STDERR, lines);
    } catch {
      // What cannot be logged cannot be reported either.
    }
  };
}
