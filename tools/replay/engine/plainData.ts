import { fieldPath, itemPath } from '../diff/valueDiff.ts';

/** A state or a display that is not plain data. The message has the path and the kind of value, and no values. */
export class PlainDataError extends TypeError {}

/**
 * Checks that a value is plain data (JSON), or missing: comparisons and goldens would not contain anything else.
 * @param known objects that are plain data, as in `findNonJson`.
 * @throws {PlainDataError} with the path of the first part that is not.
 */
export function requirePlain(value: unknown, path: string, known?: WeakSet<object>): void {
  const found = value === undefined ? undefined : findNonJson(value, path, known);
  if (found !== undefined)
    throw new PlainDataError(`${found.path} is ${found.what}; a state is plain data (JSON)`);
}

/** A value that JSON does not have, and what it is: `a Map`, `a function`. */
type NonJson = Record<'path' | 'what', string>;

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
  const what = objectProblem(value);
  const found = what === undefined ? findInside(value, path, search) : { path, what };
  around.delete(value);
  if (found === undefined) known.add(value);
  return found;
}

function findInside(value: object, path: string, search: Search): NonJson | undefined {
  // Also the missing items of a list.
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [key, part] of parts) {
    const place = typeof key === 'number' ? itemPath(path, key) : fieldPath(path, key);
    const found = find(part, place, search);
    if (found !== undefined) return found;
  }
  const isNamed = Array.isArray(value) && Object.keys(value).length > value.length;
  return isNamed ? { path, what: 'a list with named fields' } : undefined;
}

function objectProblem(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return undefined;
  if (prototype !== Object.prototype && prototype !== null) return withArticle(value);
  const hasSymbols = Object.getOwnPropertySymbols(value).length > 0;
  return hasSymbols ? 'an object with a symbol as the name of a field' : undefined;
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

/** Freezes an object with all its parts, and returns it. Parts that are done already are skipped, so the cost depends on what is new. */
export function deepFreeze<T extends object>(value: T, done: WeakSet<object>): T {
  if (done.has(value)) return value;
  done.add(value);
  // `Object.values` would make a list for each object, and V8 reads frozen lists ten times as slowly.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isObject(value[i])) deepFreeze(value[i], done);
  } else for (const key in value) if (isObject(value[key])) deepFreeze(value[key], done);
  return Object.freeze(value);
}

/** Returns whether a value is an object or a list. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
