import { type Logger, pino } from 'pino';
import { z } from 'zod';

const line = z.looseObject({ msg: z.string() });

/** A log in memory. */
export interface MainLog {
  readonly log: Logger;
  /** Returns the complete text, as it would be written. */
  text(): string;
  /** Returns the parsed lines, without the time. */
  lines(): Readonly<Record<string, unknown>>[];
}

/** Creates an empty log that accepts every level. */
export function mainLog(): MainLog {
  const written: string[] = [];
  const log = pino(
    { level: 'trace', base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (text) => written.push(text) },
  );
  return {
    log,
    text: () => written.join(''),
    lines: () => written.map((text) => line.parse(JSON.parse(text))),
  };
}
