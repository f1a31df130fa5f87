import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlainDataError } from '../engine/plainData.ts';

const FRAMES = 8;

/**
 * Describes an error that replayed code threw, without its message, which may contain values. With source maps enabled, the stack names the sources.
 * @returns `stack`: the functions that were active, without those of packages, the innermost first: `applyUpdate (src/shared/conversation/applyUpdate.ts:40:12)`.
 */
export function thrownError(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error, stack: [] };
  // Its message has no values.
  if (error instanceof PlainDataError) return { name: `${error.name}: ${error.message}`, stack: [] };
  const frames = (error.stack ?? '')
    .split('\n')
    .flatMap((line) => frameOf(line) ?? [])
    .filter((frame) => !frame.includes('node_modules/'));
  // The frames below are those of this tool.
  const own = frames.findIndex((frame) =>
    /src\/shared\/replay\/|tools\/replay\/(?:engine\/|verify\/findCause|adapter\/checkAdapter)/.test(frame),
  );
  return { name: error.name, stack: frames.slice(0, own === -1 ? FRAMES : Math.min(own, FRAMES)) };
}

/** Shortens one line of a stack: the file is relative to the working folder. Returns `undefined` for a line that is not a frame. */
function frameOf(line: string): string | undefined {
  const [, name = '', place = '', position = ''] =
    /^\s*at (?:(.*?) \()?((?:file:\/\/)?\/[^()]*?)(:\d+:\d+)\)?$/.exec(line) ?? [];
  if (place === '') return undefined;
  const path = place.startsWith('file:') ? fileURLToPath(place) : place;
  const file = `${relative(process.cwd(), path)}${position}`;
  return name === '' ? file : `${name} (${file})`;
}

/** Describes an error in one line, without its message. */
export const thrownText = (error: unknown): string => errorFrame(thrownError(error));

/** Returns the innermost frame without its line, which changes with every edit. */
export const errorFrame = ({ name, stack: [frame] }: { name: string; stack: readonly string[] }): string =>
  frame === undefined ? name : `${name} in ${frame.replace(/:\d+:\d+(?=\)?$)/, '')}`;
