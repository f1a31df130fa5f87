import { isJsonObject } from '#shared/json.ts';
import { type Change, fieldPath, itemPath, keysOf } from '../diff/valueDiff.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { fieldOf, isList } from '../inspector/model/trace/stateTree.ts';
import { isDifferent, namedValue, pathNames } from '../inspector/model/trace/valuePath.ts';

/** The number of paths that are named. */
const MOST = 6;

/**
 * Returns the paths of a state that are nearest to one that does not exist: the same path with one key spelt as it exists, or the children of the longest
 * part that exists.
 */
export function nearestPaths(app: InspectedApp, path: string, state: SessionState): readonly string[] {
  const keys = keysOf(path);
  const root = Object.fromEntries(pathNames(app).map((name) => [name, namedValue(app, name, state)]));
  const depth = keys.findIndex((_, i) => valueBelow(root, keys.slice(0, i + 1)) === undefined);
  if (depth === -1) return [];
  const [parent, wrong = '', rest] = [keys.slice(0, depth), keys[depth], keys.slice(depth + 1)];
  const value = valueBelow(root, parent);
  if (isList(value) && value.length > 0)
    return [`${value.length - 1}`, 'length'].map((key) => pathOf([...parent, key]));
  const near = (isJsonObject(value) && !isList(value) ? Object.keys(value) : [])
    .map((name) => ({ name, distance: editDistance(name, wrong) }))
    .sort((a, b) => a.distance - b.distance);
  const corrected = near.filter(
    ({ name, distance }) =>
      distance <= Math.max(1, wrong.length / 3) && valueBelow(value, [name, ...rest]) !== undefined,
  );
  const found =
    corrected.length > 0 ? corrected.map(({ name }) => [name].concat(rest)) : near.map(({ name }) => [name]);
  if (found.length === 0 && depth > 0) return [pathOf(parent)];
  return found.slice(0, MOST).map((below) => pathOf([...parent, ...below]));
}

const valueBelow = (value: unknown, keys: readonly string[]): unknown => keys.reduce(fieldOf, value);

/** Returns the number of letters to insert, to remove or to replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (let j = 1; j < row.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(letter !== b[j - 1])),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * Returns the changed paths that are the same as a path but for the indexes of items and at most one other key between the first and the last:
 * `messages[4].seen` for `messages[3].seen`, `users.bob.age` for `users.ann.age`.
 */
export function siblingPaths(path: string, changes: readonly Change[]): string[] {
  const keys = keysOf(path);
  const found = changes.flatMap((change) => {
    const changed = keysOf(change.path).slice(0, keys.length);
    const others = changed.flatMap((key, i) =>
      key === keys[i] || (isIndex(key) && isIndex(keys[i])) ? [] : [i],
    );
    if (others.length > 1 || others.some((i) => i === 0 || i === keys.length - 1)) return [];
    return differing(change, keys.slice(changed.length), changed);
  });
  return [...new Set(found)];
}

/** Returns the paths at which two values differ below a place. @param below the keys; an index stands for each item. */
function differing(
  { before, after }: Pick<Change, 'before' | 'after'>,
  below: readonly string[],
  place: readonly string[],
): string[] {
  const [key, ...others] = below;
  if (key === undefined) return isDifferent(before, after) ? [pathOf(place)] : [];
  const list = isIndex(key) ? [after, before].find(Array.isArray) : undefined;
  return (list === undefined ? [key] : Object.keys(list)).flatMap((one) =>
    differing({ before: fieldOf(before, one), after: fieldOf(after, one) }, others, [...place, one]),
  );
}

const isIndex = (key = ''): boolean => /^\d+$/.test(key);

/** Returns the path of keys; a key that is a number is an index. */
const pathOf = (keys: readonly string[]): string =>
  keys.reduce((path, key) => (isIndex(key) ? itemPath(path, Number(key)) : fieldPath(path, key)), '');
