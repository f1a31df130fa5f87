import pino from 'pino';

/** Creates a logger for all levels. */
export function recordingLogger() {
  let log = '';
  const waiting = new Set<() => void>();
  const write = (line: string) => {
    log += line;
    for (const check of waiting) check();
  };
  /** Resolves when the text contains these words. */
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
