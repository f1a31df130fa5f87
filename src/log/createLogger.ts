import { type Logger, type LoggerOptions, multistream, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Clock } from '#shared/time/clock.ts';
import { limitRepeats } from './limitRepeats.ts';
import { type LineWriter, createStderrWriter } from './createStderrWriter.ts';

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
