/** Paths to values in a state: `messages[3].content[0].text`. A key that is not a plain name is written `["a b"]`. */

const NAME = /^[A-Za-z_$][\w$]*$/;
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/** Returns the path of a field of the value at `path`; the path of the state itself is empty. */
export function fieldPath(path: string, key: string): string {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Returns the path of an item of the list at `path`. */
export const itemPath = (path: string, index: number): string => `${path}[${index}]`;

const PATH = new RegExp(`^(?:${STEP.source})+$`);

/** Returns whether a text is a path. */
export const isPath = (text: string): boolean => PATH.test(text);

/** Returns the keys of a path, from the state down. */
export const keysOf = (path: string): string[] =>
  Array.from(path.matchAll(STEP), ([, name, index, quoted]) =>
    quoted === undefined ? (name ?? index ?? '') : String(JSON.parse(quoted)),
  );

/** Returns the value at a path, or `undefined` when there is none. */
export function valueAt(state: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(ownField, state);
}

/** Returns an own field of an object or an item of a list. */
export function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value as Record<string, unknown>)[key];
}
