import { type Change, isSameJson, keysOf, ownField, valueDiff } from '../diff/valueDiff.ts';
import { createHash } from 'node:crypto';
import type { ActsChange, ConnectionChange } from './golden.ts';

/** New values by path, and the paths of removed fields. */
type Changes = Pick<ActsChange, 'changes' | 'removed'>;

/** Returns changes in the form of goldens. */
export function recordedChanges(differences: readonly Change[]): Changes {
  const changes: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const { path, after } of differences) {
    if (after === undefined) removed.push(path);
    else changes[path] = goldenValue(after);
  }
  return { changes, ...(removed.length > 0 && { removed }) };
}

/** A golden contains only the beginning, the length and the digest of longer strings (pictures, files). */
const LONG = 2000;
const BEGINNING = 60;

/** Converts a JSON value to its form in a golden; returns the same reference when no string in it is long. */
export function goldenValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG ? digestOf(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isShortened) ? value.map(goldenValue) : value;
  const entries = Object.entries(value);
  if (!entries.some(([, field]) => isShortened(field))) return value;
  return Object.fromEntries(entries.map(([key, field]) => [key, goldenValue(field)]));
}

const isShortened = (value: unknown): boolean => goldenValue(value) !== value;

function digestOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, BEGINNING)}… (${text.length} characters, sha256:${digest})`;
}

/** Returns a plain JSON state after the changes of one update; does not modify `state`. */
export function applyChanges(state: object, { changes, removed = [] }: Changes): object {
  // Through JSON: a structured clone would keep two fields with the same object the same.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const after = JSON.parse(JSON.stringify(state)) as object;
  for (const [path, value] of Object.entries(changes)) setAt(after, path, value);
  for (const path of removed) {
    const { holder, key } = placeOf(after, path);
    if (holder !== undefined) Reflect.deleteProperty(holder, key);
  }
  return after;
}

function setAt(state: object, path: string, value: unknown): void {
  const { holder, key } = placeOf(state, path);
  if (holder === undefined) return;
  if (Array.isArray(holder) && key === 'length') holder.length = Number(value);
  // Defined, not assigned: in JSON, `__proto__` is an ordinary name.
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Returns the object that contains the value at a path, or `undefined` when there is none. */
function placeOf(state: object, path: string): { holder: object | undefined; key: string } {
  const keys = keysOf(path);
  const holder = keys.slice(0, -1).reduce<unknown>(ownField, state);
  const isHolder = typeof holder === 'object' && holder !== null;
  return { holder: isHolder ? holder : undefined, key: keys.at(-1) ?? '' };
}

/** Returns how the connection changed, with the paths of its fields. */
export const connectionChanges = (states: readonly ConnectionChange[]): ActsChange[] =>
  states.map(({ at, ...connection }, index) => {
    const { at: _at, ...before } = states[index - 1] ?? { at };
    return { at, ...recordedChanges(valueDiff({ connection: before }, { connection })) };
  });

/** Returns where two lists of changes differ first: the paths of that time, with the time. */
export function actsDifferences(expected: readonly ActsChange[], got: readonly ActsChange[]) {
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
      withoutAbsent({
        path: `${path} at ${at} ms`,
        before: before.get(path),
        // A side without this change has the value before.
        expected: (wanted.has(path) ? wanted : before).get(path),
        got: (found.has(path) ? found : before).get(path),
      }),
    );
}

const TIME = / at ([\d.]+(?:e[+-]?\d+)?) ms$/;

/** Returns the time at the end of a path of {@link actsDifferences}; `undefined` for any other path. */
export function timeOfPlace(path: string): number | undefined {
  const [, time] = TIME.exec(path) ?? [];
  return time === undefined ? undefined : Number(time);
}

/** Returns the new values of a change by path, `undefined` for one that was removed; none when the change has another time. */
function valuesAt(change: ActsChange | undefined, at: number): Map<string, unknown> {
  if (change === undefined || change.at !== at) return new Map();
  const removed = (change.removed ?? []).map((path) => [path, undefined] as const);
  return new Map([...Object.entries(change.changes), ...removed]);
}

/** One place where a replay differs from the expected result. A missing value has no field. */
export interface DifferingPlace {
  readonly path: string;
  readonly before?: unknown;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** Removes fields that are `undefined`. */
export const withoutAbsent = ({ path, ...values }: DifferingPlace): DifferingPlace => ({
  path,
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
});
