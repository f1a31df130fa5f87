import { fstatSync, writeSync } from 'node:fs';
import pino, { type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** Lines are written many at a time: one by one they would cost as much as the answers that they tell of. */
const BUFFER_LENGTH = 4096;
/** No line waits longer. Those of the audit log do not wait at all. */
const FLUSH_MS = 200;
/** Lines are dropped while a pipe that is not read has more than this to be written, in bytes. */
const WAITING_BYTES = 1024 * 1024;
const STDERR = 2;

/** A logger, and the way to have everything written that it was told. */
export interface ServiceLogger {
  readonly logger: Logger;
  flush(): void;
}

/** JSON lines on stderr, or lines for people when that is a terminal. */
export function createLogger(isTerminal: boolean): ServiceLogger {
  const options = { base: { name: 'hostauth' } };
  const write = stderrWriter();
  if (isTerminal) {
    const pretty = prettyFactory({ ignore: 'name', colorize: true });
    const logger = pino(options, { write: (line) => write(pretty(line)) });
    return { logger, flush: () => undefined };
  }
  let buffer = '';
  const flush = () => {
    if (buffer !== '') write(buffer);
    buffer = '';
  };
  setInterval(flush, FLUSH_MS).unref();
  const stream = {
    write(line: string) {
      buffer += line;
      if (buffer.length >= BUFFER_LENGTH) flush();
    },
    /** Called by `logger.flush`. */
    flush,
  };
  return { logger: pino(options, stream), flush };
}

/**
 * Writes to stderr without ever throwing or blocking: what a full disk or a pipe that is closed or not read does not
 * take is dropped. Node writes to pipes and sockets without blocking.
 */
function stderrWriter(): (lines: string) => void {
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
