import { type Logger, type LoggerOptions, multistream, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Clock } from '#shared/time/clock.ts';
import { limitRepeats } from './limitRepeats.ts';
import { type LineWriter, stderrWriter } from './stderrWriter.ts';

export type { Logger };

interface Options {
  /** Fields of every line. */
  readonly base: LoggerOptions['base'];
  readonly clock: Clock;
  /** Where the lines go besides stderr, as JSON. */
  readonly writers?: readonly LineWriter[];
}

/** A logger, and what ends it. */
export interface ProgramLog {
  readonly log: Logger;
  /** Logs what was left out so far. It happens at `process.exit`, too; call it before a program ends by itself. */
  flush(): void;
}

/**
 * Creates a program's logger. On stderr it writes JSON lines, or text for people when that is a terminal. It limits
 * repeated lines, and it never throws and never blocks, whatever happens to stderr, to stdout or to a disk.
 */
export function createLogger({ base, clock, writers = [] }: Options): ProgramLog {
  const { hooks, flush } = limitRepeats(clock);
  process.on('exit', flush);
  // The ready line has no reader, or no room: the program goes on.
  process.stdout.on('error', () => undefined);
  const stderr = process.stderr.isTTY ? prettyWriter(stderrWriter()) : stderrWriter();
  const log = pino(
    { base: base ?? null, timestamp: stdTimeFunctions.isoTime, hooks },
    multistream([stderr, ...writers].map((stream) => ({ stream }))),
  );
  return { log, flush };
}

function prettyWriter(writer: LineWriter): LineWriter {
  const pretty = prettyFactory({ ignore: 'name', colorize: true });
  return { write: (line) => writer.write(pretty(line)) };
}
