import { createStderrWriter } from '../base/stderrWriter.ts';

const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/** Writes one line of the log. `fields` must not contain a password or an account. */
export type HelperLog = (
  level: keyof typeof LEVELS,
  msg: string,
  fields?: Readonly<Record<string, string>>,
) => void;

/** Creates a log of JSON lines on stderr, in the format of pino, which is one package less for the helper. */
export function createHelperLog(): HelperLog {
  const write = createStderrWriter();
  return (level, msg, fields = {}) =>
    write(
      `${JSON.stringify({ level: LEVELS[level], time: Date.now(), name: 'hostauth-helper', ...fields, msg })}\n`,
    );
}
