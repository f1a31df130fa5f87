import type jsep from 'jsep';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { SessionError } from '../trace/app.ts';
import type { StateAfter } from '../trace/stateReader.ts';

/** A part of an expression, compiled to a function of the state after a step. */
export interface Compiled {
  readonly get: (after: StateAfter) => unknown;
  /** Whether the value depends on the state. */
  readonly usesState?: boolean;
  /** Whether it names the step's action, which is not a part of the state. */
  readonly usesAct?: boolean;
  /** Returns the connection, when the value is its status. */
  readonly connection?: (after: StateAfter) => SessionState['connection'];
}

/** The names that an expression can use. */
export type Names = Readonly<Record<string, Compiled>>;

/** Returns on what a part depends that consists of others. */
export const usesOf = (...parts: readonly Compiled[]): Pick<Compiled, 'usesState' | 'usesAct'> => ({
  usesState: parts.some(({ usesState }) => usesState),
  usesAct: parts.some(({ usesAct }) => usesAct),
});

/** Returns whether a field of a node is a node. */
export const isNode = (child: unknown): child is jsep.Expression =>
  typeof child === 'object' && child !== null && 'type' in child && typeof child.type === 'string';

/*
 * The operators convert no types: values of different types are not equal, not less and not greater, and arithmetic with them gives no number.
 */

type Unary = (value: unknown) => unknown;
type Binary = (a: unknown, b: unknown) => unknown;

/** The unary operators. */
export const UNARY: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['!', (value) => !value],
  ['-', (value) => (typeof value === 'number' ? -value : Number.NaN)],
]);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Compares two values; `null` and `undefined` are equal. */
export const isEqual = (a: unknown, b: unknown): boolean => a === b || (isAbsent(a) && isAbsent(b));

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Compares two numbers or two texts; `NaN` for all others. */
function order(a: unknown, b: unknown): number {
  if ((isNumber(a) && isNumber(b)) || (isText(a) && isText(b))) {
    if (a < b) return -1;
    if (a > b) return 1;
    return a === b ? 0 : Number.NaN;
  }
  return Number.NaN;
}

const arithmetic =
  (calculate: (a: number, b: number) => number): Binary =>
  (a, b) =>
    isNumber(a) && isNumber(b) ? calculate(a, b) : Number.NaN;

const sum = arithmetic((a, b) => a + b);

/** The binary operators, which evaluate both sides. */
export const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['==', isEqual],
  ['!=', (a, b) => !isEqual(a, b)],
  ['===', (a, b) => a === b],
  ['!==', (a, b) => a !== b],
  ['<', (a, b) => order(a, b) < 0],
  ['<=', (a, b) => order(a, b) <= 0],
  ['>', (a, b) => order(a, b) > 0],
  ['>=', (a, b) => order(a, b) >= 0],
  ['+', (a, b) => (isText(a) && isText(b) ? a + b : sum(a, b))],
  ['-', arithmetic((a, b) => a - b)],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => a / b)],
  ['%', arithmetic((a, b) => a % b)],
]);

/** The logical operators, which evaluate the right side only when they need it. */
export const LOGICAL: ReadonlyMap<string, (a: unknown, b: () => unknown) => unknown> = new Map([
  ['&&', (a: unknown, b: () => unknown) => a && b()],
  ['||', (a: unknown, b: () => unknown) => a || b()],
]);

/** Returns a function that tells whether a text contains a part, ignoring case. */
export function containsText(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

/**
 * Returns a function that tells whether a text contains a match of a regular expression. For some patterns, such as `(a+)+$`, it can compute
 * forever: the page ends a worker that does (see `watchWorker`).
 * @throws {SessionError} when the pattern or a flag is not valid.
 */
export function matchesPattern(source: string, flags = ''): (text: string) => boolean {
  if (!/^[ims]*$/.test(flags)) throw new SessionError('The flags of a pattern are i, m and s.');
  try {
    const pattern = new RegExp(source, flags);
    return (text) => pattern.test(text);
  } catch (cause) {
    throw new SessionError(`This is not a valid regular expression: /${source}/${flags}.`, { cause });
  }
}
