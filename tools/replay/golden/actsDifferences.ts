import { isSameJson, valueDiff } from '../diff/valueDiff.ts';
import type { DifferingPlace } from './differingPlace.ts';
import type { ActsChange, ConnectionChange } from './golden.ts';
import { recordedChanges } from './recordedChanges.ts';

type Values = ReadonlyMap<string, unknown>;

/** Returns how the connection changed, with the paths of its fields. */
export const connectionChanges = (states: readonly ConnectionChange[]): ActsChange[] =>
  states.map(({ at, ...connection }, index) => {
    const { at: _at, ...before } = states[index - 1] ?? { at };
    return { at, ...recordedChanges(valueDiff({ connection: before }, { connection })) };
  });

/** Returns where two lists of changes differ first: the paths of that time, with the time. */
export function actsDifferences(
  expected: readonly ActsChange[],
  got: readonly ActsChange[],
): DifferingPlace[] {
  const length = Math.max(expected.length, got.length);
  let first = 0;
  while (first < length && isSameJson(expected[first] ?? null, got[first] ?? null)) first++;
  const at = Math.min(expected[first]?.at ?? Infinity, got[first]?.at ?? Infinity);
  const [wanted, found] = [valuesAt(expected[first], at), valuesAt(got[first], at)];
  const before = new Map<string, unknown>();
  for (const change of expected.slice(0, first))
    for (const [path, value] of valuesAt(change, change.at)) before.set(path, value);
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((path) => wanted.has(path) !== found.has(path) || !isSameJson(wanted.get(path), found.get(path)))
    .map((path) =>
      Object.assign(
        { path: `${path} at ${at} ms` },
        fieldOf('before', before, path),
        // A side without this change has the value before.
        fieldOf('expected', wanted.has(path) ? wanted : before, path),
        fieldOf('got', found.has(path) ? found : before, path),
      ),
    );
}

const TIME = / at ([\d.]+(?:e[+-]?\d+)?) ms$/;

/** Returns the time at the end of a path of {@link actsDifferences}; `undefined` for any other path. */
export function timeOfPlace(path: string): number | undefined {
  const [, time] = TIME.exec(path) ?? [];
  return time === undefined ? undefined : Number(time);
}

const fieldOf = (name: string, values: Values, path: string): object => {
  const value = values.get(path);
  return value === undefined ? {} : { [name]: value };
};

/** Returns the new values of a change by path, `undefined` for one that was removed; none when the change has another time. */
function valuesAt(change: ActsChange | undefined, at: number): Values {
  if (change === undefined || change.at !== at) return new Map();
  const removed = (change.removed ?? []).map((path) => [path, undefined] as const);
  return new Map([...Object.entries(change.changes), ...removed]);
}
