import { type Stats, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type LogFn, type Logger, type LoggerOptions, multistream, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Cancel, Clock } from '#shared/clock.ts';
import { formatCount } from '#shared/formatText.ts';
import { isJsonObject } from '#shared/json.ts';

export type { Logger };

interface Options {
  /** The fields of every line. */
  readonly base: LoggerOptions['base'];
  readonly clock: Clock;
  /** Receive the lines as JSON, in addition to stderr. */
  readonly writers?: readonly LineWriter[];
}

/** A logger with its flush function. */
interface ProgramLog {
  readonly log: Logger;
  /** Logs the number of omitted lines. Also runs at `process.exit`; call it before a program ends by itself. */
  flush(): void;
}

/**
 * Creates a program's logger. On stderr it writes JSON lines, or text for people when that is a terminal. It limits
 * repeated lines. It never throws or blocks, also when stderr, stdout or a disk fails.
 */
export function createLogger({ base, clock, writers = [] }: Options): ProgramLog {
  const { hooks, flush } = limitRepeats(clock);
  process.on('exit', flush);
  // Stdout is closed or full: the program continues without the ready line.
  process.stdout.on('error', () => undefined);
  const stderr = process.stderr.isTTY ? createPrettyWriter(createStderrWriter()) : createStderrWriter();
  const log = pino(
    { base: base ?? null, timestamp: stdTimeFunctions.isoTime, hooks },
    multistream([stderr, ...writers].map((stream) => ({ stream }))),
  );
  return { log, flush };
}

function createPrettyWriter(writer: LineWriter): LineWriter {
  const pretty = prettyFactory({ ignore: 'name', colorize: true });
  return { write: (line) => writer.write(pretty(line)) };
}

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
function createStderrWriter(): LineWriter {
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

/** Maximum number of equal lines per period. */
const MAX_LINES = 20;
const PERIOD_MS = 10_000;

/** Limits repeated lines of a logger and of its children. */
interface RepeatLimit {
  /** The logger's hooks. */
  readonly hooks: NonNullable<LoggerOptions['hooks']>;
  /** Logs the number of omitted lines. Call it before the program ends. */
  flush(): void;
}

interface Omitted {
  count: number;
  /** Logs one line for all omitted ones. */
  summarize(count: number): void;
}

/**
 * Limits lines with the same level, message and reason to 20 in 10 s. Counts further ones, and logs one line with their number
 * at the end of the period: "frame rejected (and 3,120 more)".
 */
export function limitRepeats(clock: Clock): RepeatLimit {
  const written = new Map<string, number>();
  const omitted = new Map<string, Omitted>();
  let startedAt = clock.now();
  let cancel: Cancel | undefined;

  const flush = () => {
    cancel?.();
    cancel = undefined;
    startedAt = clock.now();
    written.clear();
    for (const { count, summarize } of omitted.values()) summarize(count);
    omitted.clear();
  };
  const omit = (key: string, summarize: Omitted['summarize']) => {
    const before = omitted.get(key);
    if (before === undefined) omitted.set(key, { count: 1, summarize });
    else before.count++;
    // Only a period with an omitted line needs a timer.
    cancel ??= clock.after(startedAt + PERIOD_MS - clock.now(), flush);
  };

  return {
    flush,
    hooks: {
      logMethod(args, method, level) {
        if (clock.now() - startedAt >= PERIOD_MS) flush();
        const { message, reason } = describe(args);
        const key = `${level} ${reason ?? ''} ${message}`;
        const count = (written.get(key) ?? 0) + 1;
        if (count <= MAX_LINES) {
          written.set(key, count);
          method.apply(this, args);
          return;
        }
        omit(key, (more) =>
          method.call(
            this,
            { ...(reason !== undefined && { reason }), more },
            `${message} (and ${formatCount(more)} more)`,
          ),
        );
      },
    },
  };
}

/** Returns the parts of a log call that make lines equal. */
function describe([first, second]: Parameters<LogFn> | readonly unknown[]): {
  readonly message: string;
  readonly reason: string | undefined;
} {
  if (typeof first === 'string') return { message: first, reason: undefined };
  const reason = isJsonObject(first) && typeof first.reason === 'string' ? first.reason : undefined;
  if (typeof second === 'string') return { message: second, reason };
  return { message: first instanceof Error ? first.message : '', reason };
}
