import { z } from 'zod';
import { DIAGNOSTIC_LINES } from '#shared/limits.ts';

/** The log's last lines, reduced to the fields that may leave the machine. */
export interface LogTail {
  /** Adds a line in pino's format. */
  write(line: string): void;
  /** Returns the lines, oldest first. */
  lines(): readonly string[];
  clear(): void;
}

const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

const lineSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string() });

/**
 * The fields that may leave the machine; this is an allow-list. They are numbers, names of ours and codes of the system;
 * never a path, an address or a message.
 */
const SHOWN = ['code', 'reason', 'category', 'channel', 'bytes'] as const;
const HARMLESS = /^[A-Za-z_]{1,40}$/;

/** Creates a tail that keeps the last lines. */
export function logTail(): LogTail {
  const tail: string[] = [];
  return {
    write(line) {
      tail.push(line);
      if (tail.length > DIAGNOSTIC_LINES) tail.shift();
    },
    lines: () => tail.map(shownLine),
    clear: () => void tail.splice(0),
  };
}

function shownLine(line: string): string {
  const { level, time, msg, ...fields } = lineSchema.parse(JSON.parse(line));
  const shown = SHOWN.flatMap((name) =>
    isHarmless(fields[name]) ? [`${name}=${String(fields[name])}`] : [],
  );
  return [time, LEVELS[level] ?? String(level), msg, ...shown].join(' ');
}

const isHarmless = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && HARMLESS.test(value));
