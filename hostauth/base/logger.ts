import pino, { type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { createStderrWriter } from './stderrWriter.ts';

/** Lines are written many at a time: one by one they would cost as much as the answers that they tell of. */
const BUFFER_LENGTH = 4096;
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
  const write = createStderrWriter();
  if (isTerminal) {
    const pretty = prettyFactory({ ignore: 'name', colorize: true });
    const logger = pino(options, { write: (line) => write(pretty(line)) });
    return { logger, flush: () => undefined };
  }
  let buffer = '';
  const flush = () => {
    if (buffer !== '') write(buffer);
    buffer = '';
  };
  setInterval(flush, FLUSH_MS).unref();
  const stream = {
    write(line: string) {
      buffer += line;
      if (buffer.length >= BUFFER_LENGTH) flush();
    },
    /** Called by `logger.flush`. */
    flush,
  };
  return { logger: pino(options, stream), flush };
}
