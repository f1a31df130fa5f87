import { type Change, fieldPath, itemPath, keysOf } from '../diff/valueDiff.ts';
import { fieldOf } from '../inspector/model/trace/stateTree.ts';
import { isDifferent } from '../inspector/model/trace/valuePath.ts';

/**
 * Returns the changed paths that are the same as a path but for the indexes of items and at most one other key between the first and the last:
 * `messages[4].seen` for `messages[3].seen`, `users.bob.age` for `users.ann.age`.
 */
export function siblingPaths(path: string, changes: readonly Change[]): string[] {
  const keys = keysOf(path);
  const found = new Set<string>();
  for (const { path: changedPath, before, after } of changes) {
    const changed = keysOf(changedPath);
    if (!isSibling(keys, changed)) continue;
    const place = pathOf(changed.slice(0, keys.length));
    const below = keys.slice(changed.length);
    for (const one of below.length === 0 ? [place] : differing(before, after, { below, path: place }))
      found.add(one);
  }
  return [...found];
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** Returns the path of keys; a key that is a number is an index. */
export const pathOf = (keys: readonly string[]): string =>
  keys.reduce((path, key) => (isIndex(key) ? itemPath(path, Number(key)) : fieldPath(path, key)), '');

function isSibling(keys: readonly string[], changed: readonly string[]): boolean {
  const both = Math.min(keys.length, changed.length);
  let others = 0;
  for (const [i, key] of keys.slice(0, both).entries()) {
    const other = changed[i] ?? '';
    if (key === other || (isIndex(key) && isIndex(other))) continue;
    if (i === 0 || i === keys.length - 1 || ++others > 1) return false;
  }
  return true;
}

interface Place {
  /** The keys below the path; an index stands for each item. */
  readonly below: readonly string[];
  readonly path: string;
}

/** Returns the places below two values at which they differ. */
function* differing(before: unknown, after: unknown, { below, path }: Place): Generator<string, void> {
  const [key, ...others] = below;
  if (key === undefined) {
    if (isDifferent(before, after)) yield path;
    return;
  }
  const count = Math.max(lengthOf(before), lengthOf(after));
  const keys = isIndex(key) && count > 0 ? Array.from({ length: count }, (_, i) => `${i}`) : [key];
  for (const one of keys)
    yield* differing(fieldOf(before, one), fieldOf(after, one), {
      below: others,
      path: path + pathOf([one]).replace(/^(?!\[)/, '.'),
    });
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
