import type { ContentItem } from '#shared/protocol/update.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { pluralize } from '#shared/pluralize.ts';
import { fieldPath, itemPath, keysOf, ownField } from '../../../diff/statePath.ts';
import type { TreeNode } from '../../protocol/protocol.ts';
import type { State } from './traceState.ts';
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
export function treeNodes(state: State, path: string, range: { from: number; to: number }): TreeNode[] {
  const place = placeAt(state, path);
  if (place === undefined) throw new SessionError(`There is nothing at ${path}.`);
  const isList = typeOf(place) === 'list';
  const keys = isList ? undefined : keysIn(place);
  const nodes: TreeNode[] = [];
  for (let i = Math.max(0, range.from); i < Math.min(range.to, sizeOf(place)); i++) {
    const key = keys?.[i] ?? `${i}`;
    const child = childOf(place, key);
    if (child !== undefined)
      nodes.push(nodeOf(child, isList ? itemPath(path, i) : fieldPath(path, key), key));
  }
  return nodes;
}

/** Returns the place at a path of the state. */
export function placeAt(state: State, path: string): Place | undefined {
  let place: Place | undefined = { shape: 'state', value: state };
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
      return key === 'messages'
        ? { shape: 'messages', value: place.value.messages }
        : json(ownField(place.value, key));
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

/** Returns the value of a leaf, the length of a list or the keys of an object, as a short text. */
function previewOf(place: Place): string {
  const type = typeOf(place);
  if (type === 'list') return pluralize(sizeOf(place), 'item');
  if (type === 'object') return cut(keysIn(place).join(', '));
  if (typeof place.value === 'string') return JSON.stringify(cut(place.value));
  return String(place.value);
}

const cut = (text: string): string =>
  text.length <= PREVIEW - 2 ? text : `${text.slice(0, PREVIEW - 3).toWellFormed()}…`;
