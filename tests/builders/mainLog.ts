import { pino } from 'pino';
import { z } from 'zod';

const line = z.looseObject({ msg: z.string() });

/** A log in memory. */
export type MainLog = ReturnType<typeof mainLog>;

/** Creates an empty log that accepts every level. */
export function mainLog() {
  const written: string[] = [];
  const log = pino(
    { level: 'trace', base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (text) => written.push(text) },
  );
  return {
    log,
    /** Returns the complete text, as it would be written. */
    text: () => written.join(''),
    /** Returns the parsed lines, without the time. */
    lines: (): Readonly<Record<string, unknown>>[] => written.map((text) => line.parse(JSON.parse(text))),
  };
}
