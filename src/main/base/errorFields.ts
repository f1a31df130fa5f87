import { errorCode } from '#shared/formatText.ts';

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
