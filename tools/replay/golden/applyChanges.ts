import { keysOf, ownField } from '../diff/statePath.ts';

interface Changes {
  /** Path to new value. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Paths of fields that are no more. */
  readonly removed?: readonly string[] | undefined;
}

/** A state of plain JSON after the changes of one update; the state itself is left as it was. */
export function applyChanges(state: object, { changes, removed = [] }: Changes): object {
  const after = structuredClone(state);
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
  // Defined, not assigned: `__proto__` is a name like any other in JSON.
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/** What holds the value at a path, or `undefined` where nothing does. */
function placeOf(state: object, path: string): { holder: object | undefined; key: string } {
  const keys = keysOf(path);
  const holder = keys.slice(0, -1).reduce<unknown>(ownField, state);
  const isHolder = typeof holder === 'object' && holder !== null;
  return { holder: isHolder ? holder : undefined, key: keys.at(-1) ?? '' };
}
