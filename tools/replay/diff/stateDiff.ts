import { type Conversation, type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import {
  type Change,
  compareFields,
  compareValues,
  fieldPath,
  itemPath,
  lengthChange,
  valueDiff,
} from './valueDiff.ts';
import { isJsonObject } from '#shared/json.ts';
import type { WindowsState } from '#shared/store/openWindows.ts';

/**
 * Returns how two conversations differ, as paths in the shape of spec §2.6. Shared parts are skipped, so the cost depends
 * on what changed, not on the length of the conversation. With a `limit` the comparison stops after that many changes;
 * there may be more.
 */
export function stateDiff(before: Conversation, after: Conversation, limit = Infinity): Change[] {
  const into: Change[] = [];
  compareFields({ path: '', before, after, into }, 'messages');
  const messages = { path: 'messages', before: before.messages, after: after.messages, into, limit };
  compareVectors(messages, (pair) => {
    const { before: old, after: message } = pair;
    if (old !== undefined && message !== undefined)
      compareMessages({ ...pair, before: old, after: message, into });
    else into.push({ ...pair, before: old && toFrame(old), after: message && toFrame(message) });
  });
  return into;
}

interface VectorPair<T> {
  readonly path: string;
  readonly before: Vector<T>;
  readonly after: Vector<T>;
  readonly into: Change[];
  readonly limit?: number;
}

interface ItemPair<T> {
  readonly path: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Compares each item that is new or different; then the length, when there are fewer items. */
function compareVectors<T>(vectors: VectorPair<T>, compareItems: (pair: ItemPair<T>) => void): void {
  const { path, before, after, into, limit = Infinity } = vectors;
  if (before === after) return;
  for (const index of differingIndexes(before, after)) {
    if (into.length >= limit) return;
    compareItems({ path: itemPath(path, index), before: itemAt(before, index), after: itemAt(after, index) });
  }
  if (after.length < before.length) into.push(lengthChange(vectors));
}

interface MessagePair extends ItemPair<Message> {
  readonly before: Message;
  readonly after: Message;
  readonly into: Change[];
}

function compareMessages({ path, before, after, into }: MessagePair): void {
  compareFields({ path, before, after, into }, 'content');
  const { content: contentBefore } = before;
  const { content: contentAfter } = after;
  const place = fieldPath(path, 'content');
  if (contentBefore === undefined || contentAfter === undefined) {
    const whole = {
      before: contentBefore && toArray(contentBefore),
      after: contentAfter && toArray(contentAfter),
    };
    compareValues({ path: place, ...whole, into });
    return;
  }
  const vectors = { path: place, before: contentBefore, after: contentAfter, into };
  compareVectors(vectors, (pair) => compareValues({ ...pair, into }));
}

/** Slices of the state, with the windows by number. */
interface Slices {
  readonly windows: WindowsState;
}

/** Returns how slices differ. A window's path has its number, as in expressions: `windows[2]`. */
export function slicesDiff({ windows: before, ...a }: Slices, { windows: after, ...b }: Slices): Change[] {
  const into = valueDiff(a, b);
  if (!isJsonObject(before) || !isJsonObject(after)) {
    compareValues({ path: 'windows', before, after, into });
    return into;
  }
  const numbers = new Set([...Object.keys(before), ...Object.keys(after)].map(Number));
  for (const number of numbers) {
    const path = itemPath('windows', number);
    compareValues({ path, before: before[number], after: after[number], into });
  }
  return into;
}

type Node = readonly unknown[];

const BITS = 5;
const WIDTH = 1 << BITS;

/**
 * Returns the indexes at which `after` has a new item or another reference than `before`, in order. Skips the parts that
 * both tries share.
 */
export function differingIndexes<T>(before: Vector<T>, after: Vector<T>): number[] {
  const indexes: number[] = [];
  const inRoots = Math.min(rootLength(before), rootLength(after));
  if (before.root !== after.root) {
    const depth = Math.max(before.depth, after.depth);
    const [a, b] = [rootAt(before, depth), rootAt(after, depth)];
    collect({ a, b, depth, start: 0, end: inRoots, indexes });
  }
  for (let i = inRoots; i < after.length; i++) {
    if (itemAt(before, i) !== itemAt(after, i)) indexes.push(i);
  }
  return indexes;
}

/** Returns how many items are certainly in the trie: all except the last 1 to 32. */
const rootLength = ({ length }: Vector<unknown>): number =>
  length === 0 ? 0 : Math.floor((length - 1) / WIDTH) * WIDTH;

/** Returns the root as the root of a trie with more levels. */
function rootAt(vector: Vector<unknown>, depth: number): Node {
  let node: Node = vector.root;
  for (let level = vector.depth; level < depth; level++) node = [node];
  return node;
}

interface Nodes {
  readonly a: Node;
  readonly b: Node;
  readonly depth: number;
  /** The index of the first item under the nodes. */
  readonly start: number;
  /** The end of the compared items (exclusive). */
  readonly end: number;
  readonly indexes: number[];
}

function collect({ a, b, depth, start, end, indexes }: Nodes): void {
  const step = WIDTH ** depth;
  for (let slot = 0; slot < WIDTH && start + slot * step < end; slot++) {
    if (a[slot] === b[slot]) continue;
    const first = start + slot * step;
    if (depth === 0) indexes.push(first);
    else collect({ a: nodeAt(a, slot), b: nodeAt(b, slot), depth: depth - 1, start: first, end, indexes });
  }
}

const nodeAt = (node: Node, slot: number): Node => {
  const child = node[slot];
  return Array.isArray(child) ? child : [];
};
