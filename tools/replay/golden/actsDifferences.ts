import { isSameJson } from '../diff/isSameJson.ts';
import type { DifferingPlace } from './differingPlace.ts';
import type { ActsChange } from './golden.ts';

/** Returns where two lists of changes differ first: the paths of that time, with the time. */
export function actsDifferences(
  expected: readonly ActsChange[],
  got: readonly ActsChange[],
): DifferingPlace[] {
  const index = Math.max(expected.length, got.length);
  const first = Array.from({ length: index }, (_, i) => i).find(
    (i) => !isSameJson(expected[i] ?? null, got[i] ?? null),
  );
  if (first === undefined) return [];
  const at = Math.min(expected[first]?.at ?? Infinity, got[first]?.at ?? Infinity);
  const [wanted, found] = [valuesAt(expected[first], at), valuesAt(got[first], at)];
  const before = new Map(expected.slice(0, first).flatMap((change) => [...valuesAt(change, change.at)]));
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((path) => !isSameJson(wanted.get(path) ?? null, found.get(path) ?? null))
    .map((path) => ({
      path: `${path} at ${at} ms`,
      ...(before.has(path) && { before: before.get(path) }),
      ...(wanted.has(path) && { expected: wanted.get(path) }),
      ...(found.has(path) && { got: found.get(path) }),
    }));
}

/** What a path has after its removal. */
const REMOVED = 'removed';

/** Returns the new values of a change by path; none when it has another time. */
function valuesAt(change: ActsChange | undefined, at: number): Map<string, unknown> {
  if (change === undefined || change.at !== at) return new Map();
  const removed = (change.removed ?? []).map((path) => [path, REMOVED] as const);
  return new Map([...Object.entries(change.changes), ...removed]);
}
