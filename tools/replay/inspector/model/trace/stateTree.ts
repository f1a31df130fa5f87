import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { pluralize } from '#shared/formatText.ts';
import { differingIndexes } from '../../../diff/stateDiff.ts';
import { fieldPath, itemPath, keysOf, ownField } from '../../../diff/valueDiff.ts';
import { SessionError } from './app.ts';

/** Returns the children of the value at a path, `from` included, `to` excluded. @throws {SessionError} when it does not exist. */
export function treeNodes(root: unknown, path: string, { from, to }: { from: number; to: number }) {
  const value = requireValue(root, path);
  return Array.from(childrenOf(value, Math.max(0, from), to), ([key, child]) => {
    const childPath = entryPath(value, path, key);
    return { path: childPath, key, type: typeOf(child), size: sizeOf(child), preview: previewOf(child) };
  });
}

function* childrenOf(
  value: unknown,
  from = 0,
  to = Infinity,
): Generator<readonly [key: string, child: unknown]> {
  const keys = isList(value) ? undefined : keysIn(value);
  for (let i = from; i < Math.min(to, sizeOf(value)); i++) {
    const key = keys?.[i] ?? `${i}`;
    const child = fieldOf(value, key);
    if (child !== undefined) yield [key, child];
  }
}

/** Returns the path of an entry. A window's path has its number, as in expressions: `windows[2]`. */
export const entryPath = (parent: unknown, path: string, key: string): string =>
  isList(parent) || path === 'windows' ? itemPath(path, Number(key)) : fieldPath(path, key);

/** Returns the value at a path below another one, usually the whole state; `undefined` when there is none. */
export const valueIn = (root: unknown, path: string): unknown =>
  keysOf(path).reduce<unknown>((value, key) => fieldOf(value, key), root);

function requireValue(root: unknown, path: string): unknown {
  const value = valueIn(root, path);
  if (value === undefined) throw new SessionError(`There is nothing at ${path}.`);
  return value;
}

/** Returns whether a value is a list. */
export const isList = (value: unknown): value is readonly unknown[] | LongList =>
  Array.isArray(value) || value instanceof LongList;

function typeOf(value: unknown) {
  if (isList(value)) return 'list';
  if (value === null) return 'null';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

const sizeOf = (value: unknown): number => (value instanceof LongList ? value.length : keysIn(value).length);

/** The maximum length of a preview. */
const PREVIEW = 200;

/** Returns the value of a leaf, or the beginning of a list or an object, as a short text. */
export function previewOf(value: unknown): string {
  const type = typeOf(value);
  if (type !== 'list' && type !== 'object') return leafText(value, PREVIEW - 2);
  const parts: string[] = [];
  let length = 0;
  for (const [key, child] of childrenOf(value)) {
    const part = type === 'list' ? briefText(child) : `${key}: ${briefText(child)}`;
    parts.push(part);
    length += part.length;
    if (length >= PREVIEW) break;
  }
  const list = parts.join(', ');
  if (type === 'object') return cut(`{${list}}`, PREVIEW);
  const size = pluralize(sizeOf(value), 'item');
  return cut(list === '' ? size : `${size}: ${list}`, PREVIEW);
}

/** The maximum length of a text in the preview of its parent. */
const BRIEF = 40;

function briefText(value: unknown): string {
  const type = typeOf(value);
  if (type === 'list') return pluralize(sizeOf(value), 'item');
  return type === 'object' ? '{…}' : leafText(value, BRIEF);
}

const leafText = (value: unknown, most: number): string =>
  typeof value === 'string' ? JSON.stringify(cut(value, most)) : String(value);

/** Returns a text, or its beginning, in at most `most` UTF-16 units. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** The maximum length of a list that is converted to JSON. */
const MOST_ITEMS = 20_000;

/** Returns the value at a path as JSON, in the form of the specification. @throws {SessionError} when it does not exist or is too long. */
export function jsonAt(root: unknown, path: string): string {
  const value = requireValue(root, path);
  if (value instanceof LongList && value.length > MOST_ITEMS)
    throw new SessionError(`${path} is too long to copy. Copy a part of it.`);
  return JSON.stringify(value, null, 2);
}

/** The maximum number of places that a search returns, and the number of places between two pauses. */
const MOST_FOUND = 1000;
const PIECE = 200;

/** Finds the places whose key or value contains a text, ignoring case, in the order of the tree. */
export function* searchTree(root: unknown, text: string) {
  const wanted = text.toLowerCase();
  const paths: string[] = [];
  let visited = 0;
  for (const { value, path, key } of placesUnder(root, '')) {
    if (isFound(value, key, wanted)) paths.push(path);
    if (paths.length >= MOST_FOUND) return { paths, isCut: true };
    if (++visited % PIECE === 0) yield;
  }
  return { paths, isCut: false };
}

const isFound = (value: unknown, key: string, wanted: string): boolean =>
  key.toLowerCase().includes(wanted) ||
  ((typeof value !== 'object' || value === null) && String(value).toLowerCase().includes(wanted));

/** A text that the person chose in a drawing of a state. */
interface Chosen {
  readonly text: string;
  /** The path below which it is searched; by default that of the whole state. */
  readonly within?: string | undefined;
}

/** The number of places after which a search for a text ends. */
const MOST = 200_000;

/** Shorter texts are found only as a whole. */
const SHORT = 3;

/**
 * Finds the path of the value that a drawing shows as a text: the first value that has the same letters and digits; otherwise the longest one that contains
 * them or is contained in them, as a part of Markdown is; otherwise `within`, if it exists.
 */
export function* findPlace(root: unknown, { text, within = '' }: Chosen) {
  const wanted = plain(text);
  let best: { readonly path: string; readonly length: number } | undefined;
  let visited = 0;
  for (const { value, path } of placesUnder(valueIn(root, within), within)) {
    if (++visited % PIECE === 0) yield;
    if (visited > MOST) break;
    if ((typeof value === 'object' && value !== null) || wanted === '') continue;
    const found = plain(String(value));
    if (found === wanted) return path;
    const isPart =
      Math.min(found.length, wanted.length) >= SHORT && (found.includes(wanted) || wanted.includes(found));
    if (isPart && found.length > (best?.length ?? 0)) best = { path, length: found.length };
  }
  return best?.path ?? (within === '' ? undefined : within);
}

/** Returns the letters and digits of a text. */
const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Returns all places below a value; the key of an item of a list is empty. */
function* placesUnder(
  parent: unknown,
  parentPath: string,
): Generator<{ readonly value: unknown; readonly path: string; readonly key: string }> {
  for (const [key, value] of childrenOf(parent)) {
    const path = entryPath(parent, parentPath, key);
    yield { value, path, key: isList(parent) ? '' : key };
    yield* placesUnder(value, path);
  }
}

/** A list of a state that can be long: only the items that are needed are read. */
export class LongList {
  readonly #vector: Vector<unknown>;
  readonly #itemOf: (item: unknown) => unknown;

  /** @param itemOf returns an item of the vector as people see it. */
  constructor(vector: Vector<unknown>, itemOf = (item: unknown) => item) {
    this.#vector = vector;
    this.#itemOf = itemOf;
  }

  get length(): number {
    return this.#vector.length;
  }

  /** Returns the item at an index; `undefined` outside of the list. */
  at(index: number): unknown {
    const item = itemAt(this.#vector, index);
    return item === undefined ? undefined : this.#itemOf(item);
  }

  /** Returns the item at an index as the vector has it. */
  itemAt(index: number): unknown {
    return itemAt(this.#vector, index);
  }

  /** Returns the indexes at which this list may have another item than an earlier version that is not longer. */
  indexesSince(before: LongList): readonly number[] {
    return differingIndexes(before.#vector, this.#vector);
  }

  /** Returns the vector, which is plain data. */
  plain(): Vector<unknown> {
    return this.#vector;
  }

  /** Returns all items; `JSON.stringify` calls it. */
  toJSON(): unknown[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}

/** Returns a field of an object, or an item or the length of a list. */
export function fieldOf(value: unknown, key: string): unknown {
  if (!(value instanceof LongList)) return ownField(value, key);
  if (key === 'length') return value.length;
  return /^\d+$/.test(key) ? value.at(Number(key)) : undefined;
}
