import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/** JSON lines on stderr, or lines for people when that is a terminal. Written at once: nothing is lost at the end. */
export function createLogger(isTerminal: boolean): Logger {
  const options = { base: { name: 'platform' } };
  if (!isTerminal) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, pretty({ destination: 2, sync: true, ignore: 'name' }));
}
