/** Where a value stands in a state: `messages[3].content[0].text`. A key that is no plain name stands as `["a b"]`. */

const NAME = /^[A-Za-z_$][\w$]*$/;
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/** The path of a field of what stands at `path`; the state itself is the empty path. */
export function fieldPath(path: string, key: string): string {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The path of an item of the list at `path`. */
export const itemPath = (path: string, index: number): string => `${path}[${index}]`;

/** The keys on the way to a path, from the state on. */
export const keysOf = (path: string): string[] =>
  Array.from(path.matchAll(STEP), ([, name, index, quoted]) =>
    quoted === undefined ? (name ?? index ?? '') : String(JSON.parse(quoted)),
  );

/** What stands at a path, or `undefined` where nothing does. */
export function valueAt(state: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(ownField, state);
}

/** An own field of an object or item of a list. */
export function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value as Record<string, unknown>)[key];
}
