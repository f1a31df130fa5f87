import { join } from 'node:path';
import { type Logger, type ProgramLog, createLogger } from '#log/createLogger.ts';
import { rotatingFile } from '#log/rotatingFile.ts';
import type { LineWriter } from '#log/stderrWriter.ts';
import { LOG_BYTES, LOG_FILES } from '#shared/limits.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { FaultNotes } from './desktop/faultNotes.ts';

export type { Logger };

interface Options {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Gets each line, too. */
  readonly tail: LineWriter;
  readonly faults: FaultNotes;
}

/**
 * Creates the program's log: on stderr, and in `<data dir>/logs/parley.log`, which is rotated at 10 MB and kept three
 * times. It never holds a password, an account identifier or a message's text: no caller passes one. A disk or a stderr
 * that takes no lines neither ends nor blocks the program.
 */
export function createLog({ dataDir, clock, tail, faults }: Options): ProgramLog {
  const file = rotatingFile({
    path: join(dataDir, 'logs', 'parley.log'),
    maxBytes: LOG_BYTES,
    maxFiles: LOG_FILES,
    clock,
    onFailure: (error) => faults.paused('log', error),
    onRecovery: () => faults.resumed('log'),
  });
  return createLogger({ base: null, clock, writers: [file, tail] });
}
