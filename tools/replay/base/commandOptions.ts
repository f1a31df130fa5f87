import { UsageError } from './errors.ts';

/** The help text of an argument for one capture. */
export const ONE_CAPTURE = 'a capture, or a HAR with one WebSocket; - is stdin';

/** The help text of an argument for several captures. */
export const CAPTURES = 'files, folders, globs or s3://bucket/folder';

/** The commander option of every command that accepts many captures. */
export const FILES_FROM = [
  '--files-from <file>',
  'a file with the path of a capture on each line; - is stdin',
] as const;

/** The commander option of commands that replay several captures of one run of the program. */
export const THEN = [
  '--then <capture>',
  'the next capture of the same run of the program; it continues the state in which the one before ends; repeatable',
  (path: string, before: readonly string[] = []): readonly string[] => [...before, path],
] as const;

/** Parses a whole number of at least `least`, for commander. */
export const wholeNumber =
  (name: string, least = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least || text.trim() === '') {
      throw new UsageError(`${name} takes a whole number from ${least}`);
    }
    return value;
  };

/** Parses a time in milliseconds, which may have decimals as the times of captures have, for commander. */
export const milliseconds =
  (name: string) =>
  (text: string): number => {
    const value = Number(text);
    if (!(value >= 0) || !Number.isFinite(value) || text.trim() === '') {
      throw new UsageError(`${name} takes milliseconds from 0`);
    }
    return value;
  };

/** Parses the speed of virtual time: `max`, or a factor greater than 0. */
export function speed(text: string): number {
  if (text === 'max') return Infinity;
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new UsageError('--speed takes max, 1, 10 or another factor');
  return value;
}

/** Parses a list of names from `known`, separated by commas. */
export const listOf =
  <T extends string>(name: string, known: readonly T[]) =>
  (text: string): ReadonlySet<T> =>
    new Set(
      text.split(',').map((given) => {
        const match = known.find((one) => one === given.trim());
        if (match === undefined) throw new UsageError(`${name} takes ${known.join(', ')}`);
        return match;
      }),
    );

/** Parses a name from `known`. */
export const oneOf =
  <T extends string>(name: string, known: readonly T[]) =>
  (text: string): T => {
    const match = known.find((one) => one === text);
    if (match === undefined)
      throw new UsageError(`${name} takes ${known.join(', ').replace(/, ([^,]*)$/, ' or $1')}`);
    return match;
  };

const LAST_PORT = 65_535;

/** Parses a port; 0 is any free port. */
export const portOption =
  (name: string) =>
  (text: string): number => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : LAST_PORT + 1;
    if (value > LAST_PORT) throw new UsageError(`${name} takes a port, 0 to ${LAST_PORT}`);
    return value;
  };
