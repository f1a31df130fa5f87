import { isJsonObject } from '#shared/json.ts';
import { canonicalJson } from './canonicalJson.ts';

/** One place where two states differ; a missing value is `undefined`. */
export interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Two values, their path, and the list to which their differences are added. */
interface Pair<T = unknown> {
  readonly path: string;
  readonly before: T;
  readonly after: T;
  readonly into: Change[];
}

/** Returns how two JSON values differ, only at the innermost places. Parts with the same reference are skipped. */
export function valueDiff(before: unknown, after: unknown, path = ''): Change[] {
  const into: Change[] = [];
  compareValues({ path, before, after, into });
  return into;
}

/** Does the same as {@link valueDiff}, but adds to a list. */
export function compareValues({ path, before, after, into }: Pair): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < after.length; i++) {
      if (before[i] !== after[i])
        compareValues({ path: itemPath(path, i), before: before[i], after: after[i], into });
    }
    compareLengths({ path, before, after, into });
  } else if (isJsonObject(before) && isJsonObject(after)) compareFields({ path, before, after, into });
  else into.push({ path, before, after });
}

/** Adds the change of a list that became shorter: it differs in its `length`, not in each removed item. */
export function compareLengths({ path, before, after, into }: Pair<{ readonly length: number }>): void {
  if (after.length < before.length)
    into.push({ path: fieldPath(path, 'length'), before: before.length, after: after.length });
}

/** Adds how two objects differ. @param omitted the name of a field that is not compared. */
export function compareFields({ path, before, after, into }: Pair<object>, omitted?: string): void {
  // Most objects have the same fields in the same order, and most of them are equal: their paths are never needed.
  const [keys, others] = [Object.keys(before), Object.keys(after)];
  const compare = (key: string, left: unknown, right: unknown) => {
    if (left !== right && key !== omitted)
      compareValues({ path: fieldPath(path, key), before: left, after: right, into });
  };
  for (const [i, key] of keys.entries())
    compare(key, fieldOf(before, key), key === others[i] ? fieldOf(after, key) : ownField(after, key));
  for (const [i, key] of others.entries())
    if (key !== keys[i] && !Object.hasOwn(before, key)) compare(key, undefined, fieldOf(after, key));
}

/** Paths to values in a state: `messages[3].content[0].text`. A key that is not a plain name is written `["a b"]`. */

const NAME = /^[A-Za-z_$][\w$]*$/;
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/** Returns the path of a field of the value at `path`; the path of the state itself is empty. */
export function fieldPath(path: string, key: string): string {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Returns the path of an item of the list at `path`. */
export const itemPath = (path: string, index: number): string => `${path}[${index}]`;

const PATH = new RegExp(`^(?:${STEP.source})+$`);

/** Returns whether a text is a path. */
export const isPath = (text: string): boolean => PATH.test(text);

/** Returns the keys of a path, from the state down. */
export const keysOf = (path: string): string[] =>
  Array.from(path.matchAll(STEP), ([, name, index, quoted]) =>
    quoted === undefined ? (name ?? index ?? '') : String(JSON.parse(quoted)),
  );

/** Returns the value at a path, or `undefined` when there is none. */
export function valueAt(state: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(ownField, state);
}

/** Returns an own field of an object or an item of a list. */
export function ownField(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? fieldOf(value, key)
    : undefined;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const fieldOf = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];

/**
 * Returns whether two values are equal as JSON, whatever the order of their keys. Only values that JSON does not
 * distinguish (-0, or a number out of range) need a comparison of the texts.
 */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  valueDiff(a, b).length === 0 || canonicalJson(a) === canonicalJson(b);
