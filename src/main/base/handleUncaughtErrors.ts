import { errorCode } from '#shared/formatText.ts';
import type { Logger } from '#node/createLogger.ts';

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

/** The parts of an error that may be logged: never its message, which can contain a person's data. */
interface ErrorFields {
  readonly error: string;
  readonly code?: string;
  /** The stack: function, file name, line and column of each frame, the innermost first. */
  readonly frames: readonly string[];
}

const MAX_FRAMES = 10;
/** Matches a stack frame: its function, if it has a name, and its place. */
const FRAME =
  /^\s*at (?:async )?(?:(?<name>[\w$.#<> ]{1,100}?) )?\(?(?:[^()]*[/\\])?(?<place>[^/\\()]{1,100}:\d+:\d+)\)?$/u;

/** Describes an error, or anything else that was thrown, without its message. */
export function errorFields(thrown: unknown): ErrorFields {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const code = errorCode(thrown);
  return {
    error: /^\w{1,60}$/.test(name) ? name : 'Error',
    ...(code !== undefined && /^\w{1,60}$/.test(code) && { code }),
    frames: thrown instanceof Error ? framesOf(thrown) : [],
  };
}

function framesOf({ stack = '', message }: Error): string[] {
  // The message precedes the frames, and its lines can look like frames.
  const lines = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  const first = lines.findLastIndex((line) => !/^ +at /.test(line)) + 1;
  return lines.slice(first).flatMap(placeOf).slice(0, MAX_FRAMES);
}

function placeOf(line: string): string[] {
  const groups = FRAME.exec(line)?.groups;
  return groups === undefined ? [] : [`${groups.name ?? ''} ${groups.place}`.trim()];
}

/**
 * Runs a function that sends to windows. Electron throws for a value that the structured clone refuses: that message is
 * logged with its channel, and the caller continues.
 */
export function attemptSend(log: Logger, channel: string, send: () => void): void {
  try {
    send();
  } catch (error) {
    log.error({ channel, ...errorFields(error) }, 'a message to the windows could not be sent');
  }
}
