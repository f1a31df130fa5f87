import { createStderrWriter } from '../base/stderrWriter.ts';

const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/** Writes one line of the log. `fields` must not contain a password or an account. */
export type HelperLog = (
  level: keyof typeof LEVELS,
  msg: string,
  fields?: Readonly<Record<string, string>>,
) => void;

/** JSON lines on stderr, as pino writes them: the helper uses as few packages as it can. */
export function createHelperLog(): HelperLog {
  const write = createStderrWriter();
  return (level, msg, fields = {}) =>
    write(
      `${JSON.stringify({ level: LEVELS[level], time: Date.now(), name: 'hostauth-helper', ...fields, msg })}\n`,
    );
}
