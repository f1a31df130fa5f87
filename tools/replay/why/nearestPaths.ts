import { itemPath, keysOf } from '../diff/valueDiff.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { entryPath, fieldOf, isList } from '../inspector/model/trace/stateTree.ts';
import { namedValue, pathNames } from '../inspector/model/trace/valuePath.ts';

/** The maximum number of paths. */
const MOST = 3;

/**
 * Returns the paths that are nearest to one that does not exist: of the fields beside the first part of it that is missing, those with the most similar
 * names; of a list, its last item.
 */
export function nearestPaths(app: InspectedApp, path: string, state: SessionState): readonly string[] {
  let value: unknown = Object.fromEntries(pathNames(app).map((name) => [name, namedValue(app, name, state)]));
  let known = '';
  for (const key of keysOf(path)) {
    const child = fieldOf(value, key);
    if (child === undefined) return pathsIn(value, known, key);
    known = entryPath(value, known, key);
    value = child;
  }
  return [known];
}

/** Returns the paths of the fields of a value whose names are similar to a key. */
function pathsIn(value: unknown, path: string, key: string): string[] {
  if (isList(value)) return [value.length === 0 ? path : itemPath(path, value.length - 1)];
  const names = Object.keys(Object(value)).filter((name) => fieldOf(value, name) !== undefined);
  if (typeof value !== 'object' || names.length === 0) return [path];
  return names
    .map((name) => ({ name, distance: editDistance(name.toLowerCase(), key.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => entryPath(value, path, name));
}

/** Returns the number of letters that must be inserted, removed or replaced to make one text of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
