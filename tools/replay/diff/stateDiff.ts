import { type Conversation, type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import {
  type Change,
  compareFields,
  compareLengths,
  compareValues,
  fieldPath,
  itemPath,
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
  compareVectors(messages, compareMessages);
  return into;
}

/** Two items of vectors, their path, and the list to which their differences are added. */
export interface Items<T> {
  readonly path: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
  readonly into: Change[];
}

type Vectors<T> = Record<'before' | 'after', Vector<T>> & Pick<Items<T>, 'path' | 'into'>;

/** Compares each item that is new or different; then the length, when there are fewer items. */
export function compareVectors<T>(
  vectors: Vectors<T> & { readonly limit?: number },
  compareItems: (items: Items<T>) => void,
): void {
  const { path, before, after, into, limit = Infinity } = vectors;
  for (const index of differingIndexes(before, after)) {
    if (into.length >= limit) return;
    const item = itemPath(path, index);
    compareItems({ path: item, before: itemAt(before, index), after: itemAt(after, index), into });
  }
  compareLengths(vectors);
}

function compareMessages({ path, before, after, into }: Items<Message>): void {
  if (before === undefined || after === undefined) {
    into.push({ path, before: before && toFrame(before), after: after && toFrame(after) });
    return;
  }
  compareFields({ path, before, after, into }, 'content');
  const [place, old, content] = [fieldPath(path, 'content'), before.content, after.content];
  if (old && content) compareVectors({ path: place, before: old, after: content, into }, compareValues);
  else compareValues({ path: place, before: old && toArray(old), after: content && toArray(content), into });
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
    const [old, window] = [before[number], after[number]];
    compareValues({ path: itemPath('windows', number), before: old, after: window, into });
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
  if (before === after) return indexes;
  const inRoots = Math.min(rootLength(before), rootLength(after));
  /** Compares the nodes at a depth. @param start the index of the first item under them. */
  const collect = ([a, b]: readonly [Node, Node], depth: number, start: number): void => {
    if (a === b) return;
    const step = WIDTH ** depth;
    for (let slot = 0, first = start; slot < WIDTH && first < inRoots; slot++, first += step) {
      if (depth > 0) collect([nodeAt(a, slot), nodeAt(b, slot)], depth - 1, first);
      else if (a[slot] !== b[slot]) indexes.push(first);
    }
  };
  const depth = Math.max(before.depth, after.depth);
  collect([rootAt(before, depth), rootAt(after, depth)], depth, 0);
  const [old, items] = [itemsFrom(before, inRoots), itemsFrom(after, inRoots)];
  for (let i = inRoots; i < after.length; i++) if (old[i - inRoots] !== items[i - inRoots]) indexes.push(i);
  return indexes;
}

/** Returns the items from an index on. */
const itemsFrom = <T>(vector: Vector<T>, from: number): (T | undefined)[] =>
  from === rootLength(vector)
    ? [...vector.tail, vector.lastItem]
    : Array.from({ length: vector.length - from }, (_, i) => itemAt(vector, from + i));

/** Returns how many items are certainly in the trie: all except the last 1 to 32. */
const rootLength = ({ length }: Vector<unknown>): number =>
  length === 0 ? 0 : Math.floor((length - 1) / WIDTH) * WIDTH;

/** Returns the root as the root of a trie with more levels. */
function rootAt(vector: Vector<unknown>, depth: number): Node {
  let node: Node = vector.root;
  for (let level = vector.depth; level < depth; level++) node = [node];
  return node;
}

const nodeAt = (node: Node, slot: number): Node => {
  const child = node[slot];
  return Array.isArray(child) ? child : [];
};
