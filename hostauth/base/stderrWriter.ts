import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** While more than this waits for the reader of a pipe, lines are dropped. Bytes. */
const WAITING_BYTES = 1024 * 1024;
const STDERR = 2;

/**
 * Creates a function that writes to stderr and never throws or blocks. Lines are dropped when the disk is full, the pipe is
 * closed or not read, or the terminal is stopped. Node writes to pipes and sockets without blocking.
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
      // A failed log line cannot be reported: the log is the only place for reports.
    }
  };
}

/** Opens the terminal again, for writes that fail instead of blocking. Falls back to stderr when the user may not. */
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

const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/** Writes one line of the log. `fields` must not contain a password or an account. */
export type HelperLog = (
  level: keyof typeof LEVELS,
  msg: string,
  fields?: Readonly<Record<string, string>>,
) => void;

/** Creates a log of JSON lines on stderr, in the format of pino, which is one package less for the helper. */
export function createHelperLog(): HelperLog {
  const write = createStderrWriter();
  return (level, msg, fields = {}) =>
    write(
      `${JSON.stringify({ level: LEVELS[level], time: Date.now(), name: 'hostauth-helper', ...fields, msg })}\n`,
    );
}
