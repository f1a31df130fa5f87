import pino, { type Logger } from 'pino';

/** A logger and what it has logged. */
export interface RecordingLogger {
  readonly logger: Logger;
  /** Returns the text so far. */
  logged(): string;
  /** Resolves when the text contains these words. */
  untilLogged(words: string): Promise<void>;
}

/** Creates a logger for all levels. */
export function recordingLogger(): RecordingLogger {
  let log = '';
  const waiting = new Set<() => void>();
  const write = (line: string) => {
    log += line;
    for (const check of waiting) check();
  };
  const untilLogged = (words: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!log.includes(words)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { logger: pino({ level: 'trace' }, { write }), logged: () => log, untilLogged };
}
