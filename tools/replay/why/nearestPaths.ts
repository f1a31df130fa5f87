import { isJsonObject } from '#shared/json.ts';
import { fieldPath, keysOf } from '../diff/valueDiff.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { LongList, fieldOf } from '../inspector/model/trace/stateTree.ts';
import { namedValue, pathNames } from '../inspector/model/trace/valuePath.ts';
import { pathOf } from './siblingPaths.ts';

/** The number of paths that are named. */
const MOST = 6;

/**
 * Returns the paths of a state that are nearest to one that does not exist: the same path with one key spelt as it exists, or the children of the longest
 * part that exists.
 */
export function nearestPaths(app: InspectedApp, path: string, state: SessionState): readonly string[] {
  const keys = keysOf(path);
  const root = Object.fromEntries(pathNames(app).map((name) => [name, namedValue(app, name, state)]));
  let value: unknown = root;
  let depth = 0;
  for (
    let next = fieldOf(value, keys[0] ?? '');
    next !== undefined;
    next = fieldOf(value, keys[depth] ?? '')
  ) {
    value = next;
    if (++depth === keys.length) return [];
  }
  const [parent, wrong = '', rest] = [keys.slice(0, depth), keys[depth], keys.slice(depth + 1)];
  const names = isJsonObject(value) && !(value instanceof LongList) ? Object.keys(value) : [];
  const parentPath = pathOf(parent);
  const count = value instanceof LongList || Array.isArray(value) ? value.length : 0;
  if (count > 0) return [pathOf([...parent, `${count - 1}`]), `${parentPath}.length`];
  const near = names
    .map((name) => ({ name, distance: editDistance(name, wrong) }))
    .sort((a, b) => a.distance - b.distance);
  const corrected = near
    .filter(
      ({ name, distance }) => distance <= Math.max(1, wrong.length / 3) && exists(fieldOf(value, name), rest),
    )
    .map(({ name }) => pathOf(parent.concat(name, rest)));
  if (corrected.length > 0) return corrected.slice(0, MOST);
  return near.length > 0
    ? near.slice(0, MOST).map(({ name }) => fieldPath(parentPath, name))
    : [parentPath].filter((one) => one !== '');
}

const exists = (value: unknown, keys: readonly string[]): boolean =>
  keys.reduce(fieldOf, value) !== undefined;

/** Returns the number of letters to insert, to remove or to replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(a[i] !== b[j - 1])),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
