import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Lines are written many at a time: one by one they would cost as much as the answers that they tell of. */
const BUFFER_BYTES = 4096;
/** No line waits longer. Those of the audit log do not wait at all. */
const FLUSH_MS = 200;

/** A logger, and the way to have everything written that it was told. */
export interface ServiceLogger {
  readonly logger: Logger;
  flush(): void;
}

/** JSON lines on stderr, or lines for people when that is a terminal. */
export function createLogger(isTerminal: boolean): ServiceLogger {
  const options = { base: { name: 'hostauth' } };
  if (isTerminal) {
    return {
      logger: pino(options, pretty({ destination: 2, sync: true, ignore: 'name' })),
      flush: () => undefined,
    };
  }
  const destination = pino.destination({ dest: 2, sync: true, minLength: BUFFER_BYTES });
  const flush = () => destination.flushSync();
  setInterval(flush, FLUSH_MS).unref();
  return { logger: pino(options, destination), flush };
}
