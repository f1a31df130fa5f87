import pino, { type Logger } from 'pino';

/** A logger of every level, and all that it was told. */
export function recordingLogger(): { logger: Logger; logged: () => string } {
  let log = '';
  const logger = pino({ level: 'trace' }, { write: (line) => void (log += line) });
  return { logger, logged: () => log };
}
