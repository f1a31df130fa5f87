import { parseTime } from '../inspector/time/formatTime.ts';
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

/** Parses a number, for commander. @param takes what the error says that the option takes. */
export const numberOption =
  (name: string, takes: string, isValid: (value: number) => boolean) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!isValid(value)) throw new UsageError(`${name} takes ${takes}`);
    return value;
  };

/** Parses a whole number of at least `least`, for commander. */
export const wholeNumber = (name: string, least = 0) =>
  numberOption(name, `a whole number from ${least}`, (n) => Number.isSafeInteger(n) && n >= least);

/** Parses a time in milliseconds, which may have decimals as the times of captures have, for commander. */
export const milliseconds = (name: string) =>
  numberOption(name, 'milliseconds from 0', (n) => n >= 0 && n < Infinity);

/** A moment of a session: after a step, or at a time in milliseconds since the start of the recording. */
export type StepOrTime = { readonly step: number } | { readonly time: number };

/** Parses a step, or a time as the inspector shows it, for commander: a whole number is a step. */
export const stepOrTime =
  (name: string) =>
  (text: string): StepOrTime => {
    const isStep = /^\d+$/.test(text);
    return isStep ? { step: Number(text) } : { time: timeOption(name, 'a step, such as 12, or ')(text) };
  };

/** Parses a time as the inspector shows it, in milliseconds, for commander. @param others what else the option takes. */
export const timeOption =
  (name: string, others = '') =>
  (text: string): number => {
    const time = parseTime(text);
    if (time !== undefined) return time;
    throw new UsageError(`${name} takes ${others}a time, such as 1.230, 2:03.400 or 1500ms`);
  };

const factor = numberOption('--speed', 'max, 1, 10 or another factor', (n) => n > 0 && n < Infinity);

/** Parses the speed of virtual time: `max`, or a factor greater than 0. */
export const speed = (text: string): number => (text === 'max' ? Infinity : factor(text));

/** Parses a list of names from `known`, separated by commas. */
export const listOf =
  <T extends string>(name: string, known: readonly T[], takes = known.join(', ')) =>
  (text: string): ReadonlySet<T> =>
    new Set(text.split(',').map((given) => oneOf(name, known, takes)(given.trim())));

/** Parses a name from `known`. */
export const oneOf =
  <T extends string>(
    name: string,
    known: readonly T[],
    takes = known.join(', ').replace(/, ([^,]*)$/, ' or $1'),
  ) =>
  (text: string): T => {
    const match = known.find((one) => one === text);
    if (match === undefined) throw new UsageError(`${name} takes ${takes}`);
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
