import pino, { type Logger } from 'pino';

/** Creates a logger for all levels; `logged` returns the text so far. */
export function recordingLogger(): { logger: Logger; logged: () => string } {
  let log = '';
  const logger = pino({ level: 'trace' }, { write: (line) => void (log += line) });
  return { logger, logged: () => log };
}
