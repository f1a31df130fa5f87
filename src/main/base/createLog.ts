import { join } from 'node:path';
import { type Logger, createLogger } from '#node/createLogger.ts';
import { createRotatingFile } from '#node/createRotatingFile.ts';
import { LOG_BYTES, LOG_FILES } from '#shared/limits.ts';
import { type Settings, plainAddresses } from '#shared/settings.ts';
import type { Clock } from '#shared/clock.ts';
import { type LogTail, logTail } from './logTail.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly clock: Clock;
  /** The log file cannot be written. */
  readonly onFailure: (error: unknown) => void;
  /** The log file is written again after a failure. */
  readonly onRecovery: () => void;
}

/**
 * Creates the program's log: on stderr and in `<data dir>/logs/parley.log`, which is rotated at 10 MB; three files are
 * kept. It never contains a password, an account identifier or a message's text: no caller passes one. A disk or a
 * stderr that does not accept lines neither ends nor blocks the program.
 */
export function createLog({ dataDir, settings, clock, onFailure, onRecovery }: Options): {
  readonly log: Logger;
  readonly tail: LogTail;
} {
  const file = createRotatingFile({
    path: join(dataDir, 'logs', 'parley.log'),
    maxBytes: LOG_BYTES,
    maxFiles: LOG_FILES,
    clock,
    onFailure,
    onRecovery,
  });
  const tail = logTail();
  const { log } = createLogger({ base: null, clock, writers: [file, tail] });
  for (const name of plainAddresses(settings))
    log.warn(`${name} is a plain address: what is sent can be read on its way`);
  return { log, tail };
}
