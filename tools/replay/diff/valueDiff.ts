import { isJsonObject } from '#shared/isJsonObject.ts';
import { fieldPath, itemPath, ownField } from './statePath.ts';

/** One place where two states differ; a missing value is `undefined`. */
export interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Two values, their path, and the list to which their differences are added. */
export interface Pair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly into: Change[];
}

/** Returns how two JSON values differ, only at the innermost places. Parts with the same reference are skipped. */
export function valueDiff(before: unknown, after: unknown, path = ''): Change[] {
  const into: Change[] = [];
  compareValues({ path, before, after, into });
  return into;
}

/** Does the same as {@link valueDiff}, but adds to a list. */
export function compareValues(pair: Pair): void {
  const { path, before, after, into } = pair;
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists({ path, before, after, into });
  else if (isJsonObject(before) && isJsonObject(after)) compareFields({ path, before, after, into });
  else into.push({ path, before, after });
}

interface PairOf<T> extends Pair {
  readonly before: T;
  readonly after: T;
}

/** Compares two lists. A shorter list differs in its `length`, not in each removed item. */
function compareLists({ path, before, after, into }: PairOf<readonly unknown[]>): void {
  for (let i = 0; i < after.length; i++) {
    compareValues({ path: itemPath(path, i), before: before[i], after: after[i], into });
  }
  if (after.length < before.length) into.push(lengthChange({ path, before, after }));
}

interface Lengths {
  readonly path: string;
  readonly before: { readonly length: number };
  readonly after: { readonly length: number };
}

/** Returns the change of a list that became shorter. */
export const lengthChange = ({ path, before, after }: Lengths): Change => ({
  path: fieldPath(path, 'length'),
  before: before.length,
  after: after.length,
});

/** Adds how two objects differ. @param omitted the name of a field that is not compared. */
export function compareFields(pair: PairOf<object>, omitted?: string): void {
  const { before, after } = pair;
  for (const key of Object.keys(before)) if (key !== omitted) compareField(pair, key);
  for (const key of Object.keys(after))
    if (key !== omitted && !Object.hasOwn(before, key)) compareField(pair, key);
}

/** Compares one field. Most are equal, and their paths are never needed. */
function compareField({ path, before: left, after: right, into }: PairOf<object>, key: string): void {
  const [before, after] = [ownField(left, key), ownField(right, key)];
  if (before !== after) compareValues({ path: fieldPath(path, key), before, after, into });
}
