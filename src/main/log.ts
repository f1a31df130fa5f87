import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, destination, multistream, pino, stdTimeFunctions } from 'pino';
import { build as pretty } from 'pino-pretty';

export type { Logger };

/**
 * The program's log: on stderr as JSON lines, pretty on a terminal, and in `<data dir>/logs/parley.log`.
 * `tail` is given each line, too. It never holds a password, an account identifier or a message's text: nobody hands it one.
 */
export function createLog(dataDir: string, tail: { write(line: string): void }): Logger {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = destination({ dest: join(folder, 'parley.log'), mode: 0o600, sync: true });
  const screen = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true })
    : destination({ fd: 2, sync: true });
  return pino(
    { base: null, timestamp: stdTimeFunctions.isoTime },
    multistream([{ stream: screen }, { stream: file }, { stream: tail }]),
  );
}
