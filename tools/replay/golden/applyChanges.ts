import { keysOf, ownField } from '../diff/valueDiff.ts';

interface Changes {
  /** Path to new value. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Paths of removed fields. */
  readonly removed?: readonly string[] | undefined;
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
