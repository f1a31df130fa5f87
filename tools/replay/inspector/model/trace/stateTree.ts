import type { ContentItem } from '#shared/protocol/update.ts';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import { pluralize } from '#shared/pluralize.ts';
import { fieldPath, itemPath, keysOf, ownField } from '../../../diff/valueDiff.ts';
import type { TreeNode } from '../../protocol/protocol.ts';
import { formatTime } from '../../time/formatTime.ts';
import type { State } from './traceState.ts';
import type { Task } from './task.ts';
import { SessionError } from './sessionError.ts';

/**
 * A place in the state. Two kinds of list are vectors. `shape` names them, because an object of a frame can have the same fields
 * as a vector.
 */
export type Place =
  | { readonly shape: 'state'; readonly value: State }
  | { readonly shape: 'messages'; readonly value: Vector<Message> }
  | { readonly shape: 'message'; readonly value: Message }
  | { readonly shape: 'content'; readonly value: Vector<ContentItem> }
  | { readonly shape: 'json'; readonly value: unknown };

const PREVIEW = 200;

/** Returns the children of the place at a path, `from` included, `to` excluded. @throws {SessionError} when it does not exist. */
export function treeNodes(root: Place, path: string, range: { from: number; to: number }): TreeNode[] {
  const place = placeAt(root, path);
  if (place === undefined) throw new SessionError(`There is nothing at ${path}.`);
  const isList = typeOf(place) === 'list';
  const keys = isList ? undefined : keysIn(place);
  const nodes: TreeNode[] = [];
  for (let i = Math.max(0, range.from); i < Math.min(range.to, sizeOf(place)); i++) {
    const key = keys?.[i] ?? `${i}`;
    const child = childOf(place, key);
    if (child !== undefined)
      nodes.push(nodeOf(child, isList ? itemPath(path, i) : entryPath(path, key), key));
  }
  return nodes;
}

/** Returns the path of a field. A window's path has its number, as in expressions: `windows[2]`. */
const entryPath = (path: string, key: string): string =>
  path === 'windows' ? itemPath(path, Number(key)) : fieldPath(path, key);

/** Returns the place at a path below another one, usually the whole state. */
export function placeAt(root: Place, path: string): Place | undefined {
  let place: Place | undefined = root;
  for (const key of keysOf(path)) place = place && childOf(place, key);
  return place;
}

function childOf(place: Place, key: string): Place | undefined {
  switch (place.shape) {
    case 'messages': {
      const value = itemAt(place.value, indexOf(key));
      return value && { shape: 'message', value };
    }
    case 'content':
      return json(itemAt(place.value, indexOf(key)));
    case 'state':
      if (key === 'messages') return { shape: 'messages', value: place.value.messages };
      return key === 'clock' ? json(shownClock(place.value)) : json(ownField(place.value, key));
    case 'message':
      return key === 'content' && place.value.content !== undefined
        ? { shape: 'content', value: place.value.content }
        : json(ownField(place.value, key));
    case 'json':
      return json(ownField(place.value, key));
    default:
      return place satisfies never;
  }
}

/** Returns the clock with times as every part of the inspector shows them. */
const shownClock = ({ clock: { time, tick } }: State) => ({ time: formatTime(time), tick: formatTime(tick) });

const json = (value: unknown): Place | undefined =>
  value === undefined ? undefined : { shape: 'json', value };

const indexOf = (key: string): number => (/^\d+$/.test(key) ? Number(key) : -1);

const nodeOf = (place: Place, path: string, key: string): TreeNode => ({
  path,
  key,
  type: typeOf(place),
  size: sizeOf(place),
  preview: previewOf(place),
});

function typeOf({ shape, value }: Place): TreeNode['type'] {
  if (shape === 'messages' || shape === 'content' || Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

const keysIn = ({ value }: Place): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

function sizeOf(place: Place): number {
  if (place.shape === 'messages' || place.shape === 'content') return place.value.length;
  return keysIn(place).length;
}

/** Returns the value of a leaf, or the beginning of a list or an object, as a short text. */
function previewOf(place: Place): string {
  const type = typeOf(place);
  if (type !== 'list' && type !== 'object') return leafText(place, PREVIEW - 2);
  const keys = type === 'list' ? undefined : keysIn(place);
  const parts: string[] = [];
  for (let i = 0, length = 0; i < sizeOf(place) && length < PREVIEW; i++) {
    const key = keys?.[i] ?? `${i}`;
    const child = childOf(place, key);
    if (child !== undefined)
      parts.push(keys === undefined ? briefText(child) : `${key}: ${briefText(child)}`);
    length += parts.at(-1)?.length ?? 0;
  }
  if (type === 'object') return cut(`{${parts.join(', ')}}`, PREVIEW);
  return cut(
    [pluralize(sizeOf(place), 'item'), ...parts.slice(0, 1)].join(': ') +
      parts
        .slice(1)
        .map((part) => `, ${part}`)
        .join(''),
    PREVIEW,
  );
}

/** The maximum length of a text in the preview of its parent. */
const BRIEF = 40;

function briefText(place: Place): string {
  const type = typeOf(place);
  if (type === 'list') return pluralize(sizeOf(place), 'item');
  return type === 'object' ? '{…}' : leafText(place, BRIEF);
}

const leafText = ({ value }: Place, most: number): string =>
  typeof value === 'string' ? JSON.stringify(cut(value, most)) : String(value);

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** The maximum number of messages of a value that is converted to JSON. */
const MOST_MESSAGES = 20_000;

/** Returns the value at a path as JSON, in the form of the specification. @throws {SessionError} when it does not exist or is too long. */
export function jsonAt(root: Place, path: string): string {
  const place = placeAt(root, path);
  if (place === undefined) throw new SessionError(`There is nothing at ${path}.`);
  if (place.shape === 'messages' && place.value.length > MOST_MESSAGES) {
    throw new SessionError(`${path} is too long to copy. Copy a part of it.`);
  }
  return JSON.stringify(plainValue(place), null, 2);
}

/** Returns the value of a place without vectors. */
export function plainValue({ shape, value }: Place): unknown {
  if (shape === 'messages') return toArray(value).map(toFrame);
  if (shape === 'message') return toFrame(value);
  return shape === 'content' ? toArray(value) : value;
}

/** The maximum number of places that a search returns, and the number of places between two pauses. */
const MOST_FOUND = 1000;
const PIECE = 200;

/** The places of the state that contain a text. */
interface Found {
  readonly paths: readonly string[];
  /** Whether there may be more. */
  readonly isCut: boolean;
}

/** Finds the places whose key or value contains a text, ignoring case, in the order of the tree. */
export function* searchTree(root: Place, text: string): Task<Found> {
  const wanted = text.toLowerCase();
  const paths: string[] = [];
  let visited = 0;
  for (const { place, path, key } of placesUnder(root, '')) {
    if (isFound(place, key, wanted)) paths.push(path());
    if (paths.length >= MOST_FOUND) return { paths, isCut: true };
    if (++visited % PIECE === 0) yield;
  }
  return { paths, isCut: false };
}

const isFound = ({ value }: Place, key: string, wanted: string): boolean =>
  key.toLowerCase().includes(wanted) ||
  ((typeof value !== 'object' || value === null) && String(value).toLowerCase().includes(wanted));

interface Visited {
  readonly place: Place;
  readonly path: () => string;
  /** The name of a field; empty for an item of a list. */
  readonly key: string;
}

function* placesUnder(parent: Place, parentPath: string): Generator<Visited> {
  const isList = typeOf(parent) === 'list';
  const keys = isList ? undefined : keysIn(parent);
  for (let i = 0; i < sizeOf(parent); i++) {
    const key = keys?.[i] ?? `${i}`;
    const place = childOf(parent, key);
    if (place === undefined) continue;
    const path = () => (isList ? itemPath(parentPath, i) : entryPath(parentPath, key));
    yield { place, path, key: isList ? '' : key };
    if (sizeOf(place) > 0) yield* placesUnder(place, path());
  }
}
