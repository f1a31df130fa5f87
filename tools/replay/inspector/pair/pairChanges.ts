import { type Change, isSameJson, valueDiff } from '../../diff/valueDiff.ts';

/**
 * Returns how two states differ, from the changes that led from the same state to each of them. `before` is the value of the first state,
 * `after` that of the second.
 */
export function pairChanges(first: readonly Change[], second: readonly Change[]): Change[] {
  const others = new Map(second.map((change) => [change.path, change]));
  const changes = first.flatMap((change) => {
    const other = others.get(change.path);
    others.delete(change.path);
    // A place that only one session changed still has its former value in the other.
    return differenceAt(change.path, change.after, other === undefined ? change.before : other.after);
  });
  const rest = [...others.values()].flatMap(({ path, before, after }) => differenceAt(path, before, after));
  return [...changes, ...rest];
}

function differenceAt(path: string, before: unknown, after: unknown): Change[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) return [{ path, before, after }];
  if (isSameJson(before, after)) return [];
  return valueDiff(before, after, path);
}
