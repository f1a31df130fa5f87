import { join } from 'node:path';
import { z } from 'zod';
import { createLogger } from '#node/createLogger.ts';
import { createRotatingFile } from '#node/createRotatingFile.ts';
import type { Clock } from '#shared/clock.ts';
import { DIAGNOSTIC_LINES, LOG_BYTES, LOG_FILES } from '#shared/limits.ts';
import { plainAddresses, type Settings } from '#shared/settings.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly clock: Clock;
  /** The log file cannot be written. */
  readonly onFailure: (error: unknown) => void;
  /** The log file is written again after a failure. */
  readonly onRecovery: () => void;
}

/**
 * Creates the program's log: on stderr and in `<data dir>/logs/parley.log`, which is rotated at 10 MB; three files are
 * kept. It never contains a password, an account identifier or a message's text: no caller passes one. A disk or a
 * stderr that does not accept lines neither ends nor blocks the program.
 */
export function createLog({ dataDir, settings, ...options }: Options) {
  const file = createRotatingFile({
    ...options,
    path: join(dataDir, 'logs', 'parley.log'),
    maxBytes: LOG_BYTES,
    maxFiles: LOG_FILES,
  });
  const tail = logTail();
  const { log } = createLogger({ base: null, clock: options.clock, writers: [file, tail] });
  for (const name of plainAddresses(settings))
    log.warn(`${name} is a plain address: what is sent can be read on its way`);
  return { log, tail };
}

/** The log's last lines, reduced to the fields that may leave the machine. */
export type LogTail = ReturnType<typeof logTail>;

const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

const lineSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string() });

/**
 * The fields that may leave the machine; this is an allow-list. They are numbers, names of ours and codes of the system;
 * never a path, an address or a message.
 */
const SHOWN = ['code', 'reason', 'category', 'channel', 'bytes'] as const;
const HARMLESS = /^[A-Za-z_]{1,40}$/;

/** Creates a tail that keeps the last lines. */
export function logTail() {
  const tail: string[] = [];
  return {
    /** Adds a line in pino's format. */
    write(line: string): void {
      tail.push(line);
      if (tail.length > DIAGNOSTIC_LINES) tail.shift();
    },
    /** Returns the lines, oldest first. */
    lines: (): readonly string[] => tail.map(shownLine),
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
