import pino, { type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { createStderrWriter } from './stderrWriter.ts';

/** Lines are written in batches of this length: one by one, a line costs as much as the answer that it reports. */
const BUFFER_LENGTH = 4096;
/** The longest that a line waits. Lines of the audit log are written at once. */
const FLUSH_MS = 200;

/** A logger, and the function that writes its buffered lines. */
interface ServiceLogger {
  readonly logger: Logger;
  flush(): void;
}

/** Creates a logger that writes JSON lines to stderr, or readable lines when stderr is a terminal. */
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
