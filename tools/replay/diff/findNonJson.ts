import { fieldPath, itemPath } from './statePath.ts';

/** A value that JSON does not have. */
export interface NonJson {
  readonly path: string;
  /** What it is: `a Map`, `a function`. */
  readonly what: string;
}

/** The depth of values that are searched; a value that contains itself is deeper. */
const DEEPEST = 500;

/** Finds the first part of a value that is not plain data, which comparisons would ignore. A field that is `undefined` counts as missing. */
export function findNonJson(value: unknown, path = '', depth = 0): NonJson | undefined {
  if (depth > DEEPEST) return { path, what: `nested deeper than ${DEEPEST} levels` };
  if (typeof value !== 'object') return isLeaf(value) ? undefined : { path, what: `a ${typeof value}` };
  if (value === null) return undefined;
  if (Array.isArray(value)) return inList(value, path, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return { path, what: `a ${value.constructor.name}` };
  for (const [key, field] of Object.entries(value)) {
    const found = field === undefined ? undefined : findNonJson(field, fieldPath(path, key), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inList(list: readonly unknown[], path: string, depth: number): NonJson | undefined {
  for (const [i, item] of list.entries()) {
    const found = findNonJson(item, itemPath(path, i), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isLeaf = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));
