import { fieldPath, itemPath } from './valueDiff.ts';

/** A value that JSON does not have. */
export interface NonJson {
  readonly path: string;
  /** What it is: `a Map`, `a function`. */
  readonly what: string;
}

/** The depth of values that are searched. */
const DEEPEST = 500;

/** A search: the objects around the current one, and those that are known to be plain data. */
interface Search {
  readonly around: Set<object>;
  readonly known: WeakSet<object>;
}

/**
 * Finds the first part of a value that is not plain data, which comparisons would ignore. A field that is `undefined` counts as missing, and -0
 * as 0.
 * @param known objects that are plain data: they are skipped, and new ones are added.
 */
export const findNonJson = (value: unknown, path = '', known = new WeakSet()): NonJson | undefined =>
  find(value, path, { around: new Set(), known });

function find(value: unknown, path: string, search: Search): NonJson | undefined {
  if (typeof value !== 'object' || value === null) {
    const what = leafProblem(value);
    return what === undefined ? undefined : { path, what };
  }
  const { around, known } = search;
  if (known.has(value)) return undefined;
  if (around.has(value)) return { path, what: 'a cycle: an object that contains itself' };
  if (around.size > DEEPEST) return { path, what: `nested deeper than ${DEEPEST} levels` };
  around.add(value);
  const found = Array.isArray(value) ? inList(value, path, search) : inObject(value, path, search);
  around.delete(value);
  if (found === undefined) known.add(value);
  return found;
}

function inObject(value: object, path: string, search: Search): NonJson | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { path, what: withArticle(value) };
  if (Object.getOwnPropertySymbols(value).length > 0)
    return { path, what: 'an object with a symbol as the name of a field' };
  for (const [key, field] of Object.entries(value)) {
    const found = field === undefined ? undefined : find(field, fieldPath(path, key), search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inList(list: readonly unknown[], path: string, search: Search): NonJson | undefined {
  for (const [i, item] of list.entries()) {
    const found = find(item, itemPath(path, i), search);
    if (found !== undefined) return found;
  }
  return Object.keys(list).length > list.length ? { path, what: 'a list with named fields' } : undefined;
}

/** Returns the class of an object, as `a Map`. */
function withArticle(value: object): string {
  const { constructor: made } = Object(Object.getPrototypeOf(value));
  const name = typeof made === 'function' && made.name !== '' ? made.name : 'class instance';
  return `${/^[AEIOU]/i.test(name) ? 'an' : 'a'} ${name}`;
}

function leafProblem(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}
