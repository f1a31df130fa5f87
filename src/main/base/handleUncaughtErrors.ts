import { errorFields } from './errorFields.ts';
import type { Logger } from '#node/createLogger.ts';
import { attemptSend } from './attemptSend.ts';

/** The notice in the windows after an uncaught error. */
export const UNEXPECTED_ERROR =
  'Parley had an unexpected error and continues. If something does not work, quit Parley and start it again.';

interface Options {
  /** The process: `on` as Node has it. */
  readonly source: Pick<NodeJS.Process, 'on'>;
  readonly log: Logger;
  /** Shows a sentence in every window. */
  readonly note: (text: string) => void;
}

/**
 * Handles uncaught errors (in timers and in listeners of Electron) and unhandled rejections, which would end the process.
 * Each is logged without its message, the windows show a notice, and the program continues.
 */
export function handleUncaughtErrors({ source, log, note }: Options): void {
  const handle = (kind: 'exception' | 'rejection') => (error: unknown) => {
    log.error({ kind, ...errorFields(error) }, 'an unexpected error; the program continues');
    // An error that is thrown here would end the process.
    attemptSend(log, 'note', () => note(UNEXPECTED_ERROR));
  };
  source.on('uncaughtException', handle('exception'));
  source.on('unhandledRejection', handle('rejection'));
}
