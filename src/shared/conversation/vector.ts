/**
 * A persistent vector: a trie of plain arrays with up to 32 entries, and separately the last items (the tail) and the last one.
 *
 * A version never changes. A new version copies only the path to the changed items and shares the rest, so an append takes constant time,
 * and unchanged parts keep their references. Another last item copies no items at all. It is plain data, so it survives JSON and the
 * structured clone.
 */
export interface Vector<T> {
  readonly length: number;
  /** The number of levels from `root` to the leaves. */
  readonly depth: number;
  /** The items before the tail, in full leaves. */
  readonly root: Node<T>;
  /** The items between the leaves and the last item: up to 31. */
  readonly tail: readonly T[];
  /** The last item; missing only in an empty vector. */
  readonly lastItem?: T | undefined;
}

/** A list of nodes, or at depth 0 a leaf: a list of 32 items. */
type Node<T> = readonly (Node<T> | T)[];

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

const NO_ITEMS: readonly never[] = [];
const EMPTY: Vector<never> = { length: 0, depth: 1, root: NO_ITEMS, tail: NO_ITEMS };

/** Returns the empty vector: always the same reference. */
export const emptyVector = <T>(): Vector<T> => EMPTY;

// The types do not express how deep an array is nested; `depth` does.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const nodeAt = <T>(node: Node<T>, slot: number): Node<T> => (node[slot] ?? []) as Node<T>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const leafItems = <T>(node: Node<T>): readonly T[] => node as readonly T[];

/** Returns a new version with `item` appended. */
export function append<T>(vector: Vector<T>, item: T): Vector<T> {
  const { length, depth, root, lastItem } = vector;
  if (lastItem === undefined) return { length: 1, depth, root, tail: NO_ITEMS, lastItem: item };
  const tail = withItem(vector.tail, lastItem);
  if (tail.length < WIDTH) return { length: length + 1, depth, root, tail, lastItem: item };
  const index = length - WIDTH;
  const isFull = index === WIDTH ** (depth + 1);
  const grown: Growth<T> = isFull
    ? { node: [root], depth: depth + 1, index, leaf: tail }
    : { node: root, depth, index, leaf: tail };
  return { length: length + 1, depth: grown.depth, root: withLeaf(grown), tail: NO_ITEMS, lastItem: item };
}

/**
 * Returns a copy with one more item. `toSpliced` takes a third of the time of `concat`, and reserves no memory as `push` does. V8 takes ten times as
 * long for a frozen list, so that is copied first.
 */
const withItem = <T>(items: readonly T[], item: T): T[] =>
  (Object.isFrozen(items) ? [...items] : items).toSpliced(items.length, 0, item);

interface Growth<T> {
  readonly node: Node<T>;
  readonly depth: number;
  /** The index of the leaf's first item. */
  readonly index: number;
  readonly leaf: readonly T[];
}

/** Returns a copy of the path to a new leaf, with the leaf. */
function withLeaf<T>({ node, depth, index, leaf }: Growth<T>): Node<T> {
  if (depth === 0) return leaf;
  const slot = (index >>> (BITS * depth)) & MASK;
  const copy = [...node];
  copy[slot] = withLeaf({ node: nodeAt(node, slot), depth: depth - 1, index, leaf });
  return copy;
}

/** Returns a new version with the last item changed; the same version when the item stays the same, or when there is none. */
export function changeLast<T>(vector: Vector<T>, change: (item: T) => T): Vector<T> {
  const { length, depth, root, tail, lastItem } = vector;
  const changed = lastItem === undefined ? lastItem : change(lastItem);
  return changed === lastItem ? vector : { length, depth, root, tail, lastItem: changed };
}

/** Returns the last item, or `undefined` when the vector is empty. */
export const last = <T>({ lastItem }: Vector<T>): T | undefined => lastItem;

/** Returns the item at `index`, or `undefined` when the index is out of range. */
export function itemAt<T>(vector: Vector<T>, index: number): T | undefined {
  if (index < 0) return undefined;
  if (index >= vector.length - 1) return index === vector.length - 1 ? vector.lastItem : undefined;
  const start = vector.length - 1 - vector.tail.length;
  if (index >= start) return vector.tail[index - start];
  let node = vector.root;
  for (let depth = vector.depth; depth > 0; depth--) node = nodeAt(node, (index >>> (BITS * depth)) & MASK);
  return leafItems(node)[index & MASK];
}

/** Returns a vector of the items. */
export function vectorOf<T>(items: readonly T[]): Vector<T> {
  const lastItem = items[items.length - 1];
  if (lastItem === undefined) return EMPTY;
  if (items.length === 1) return { length: 1, depth: 1, root: NO_ITEMS, tail: NO_ITEMS, lastItem };
  const start = (items.length - 1) & ~MASK;
  return fromLeaves(inChunks(items.slice(0, start)), items.slice(start, -1), lastItem);
}

/** Returns a vector with the same item at every index. All its leaves are the same array, so a long one needs little memory. */
export function filledVector<T>(length: number, item: T): Vector<T> {
  if (length === 0) return EMPTY;
  const leaf = Array.from({ length: WIDTH }, () => item);
  const start = (length - 1) & ~MASK;
  const leaves = Array.from({ length: start / WIDTH }, () => leaf);
  return fromLeaves(leaves, leaf.slice(0, length - 1 - start), item);
}

function fromLeaves<T>(leaves: readonly (readonly T[])[], tail: readonly T[], lastItem: T): Vector<T> {
  let depth = 1;
  let root: Node<T> = leaves;
  for (; root.length > WIDTH; depth++) root = inChunks(root);
  return { length: leaves.length * WIDTH + tail.length + 1, depth, root, tail, lastItem };
}

/** Returns a new version with `items` from index `from` on. The vector must be long enough for them. */
export function withRange<T>(vector: Vector<T>, from: number, items: readonly T[]): Vector<T> {
  const { length, depth, root, tail, lastItem } = vector;
  if (lastItem === undefined) return vector;
  const tailStart = length - 1 - tail.length;
  const range = { from, to: from + items.length, items };
  return {
    length,
    depth,
    root: from < tailStart ? nodeWithRange({ node: root, depth, index: 0 }, range) : root,
    tail: range.to > tailStart ? leafWithRange(tail, tailStart, range) : tail,
    lastItem: items[length - 1 - from] ?? lastItem,
  };
}

interface Range<T> {
  readonly from: number;
  /** The index after the last one. */
  readonly to: number;
  readonly items: readonly T[];
}

/** Returns a copy of the paths to the leaves that the range touches, with its items. `index` is that of the node's first item. */
function nodeWithRange<T>({ node, depth, index }: Omit<Growth<T>, 'leaf'>, range: Range<T>): Node<T> {
  if (depth === 0) return leafWithRange(leafItems(node), index, range);
  const span = WIDTH ** depth;
  return node.map((_, slot) => {
    const start = index + slot * span;
    const child = { node: nodeAt(node, slot), depth: depth - 1, index: start };
    return start < range.to && start + span > range.from ? nodeWithRange(child, range) : child.node;
  });
}

const leafWithRange = <T>(leaf: readonly T[], index: number, { from, to, items }: Range<T>): T[] =>
  leaf.map((item, slot) => {
    const at = index + slot;
    // The range has an item for each of its indices.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return at >= from && at < to ? (items[at - from] as T) : item;
  });

const inChunks = <U>(list: readonly U[]): U[][] =>
  Array.from({ length: Math.ceil(list.length / WIDTH) }, (_, i) => list.slice(i * WIDTH, (i + 1) * WIDTH));

/** Returns a new array of the items. */
export function toArray<T>(vector: Vector<T>): T[] {
  const result: T[] = [];
  collect(vector.root, vector.depth, result);
  result.push(...vector.tail);
  if (vector.lastItem !== undefined) result.push(vector.lastItem);
  return result;
}

function collect<T>(node: Node<T>, depth: number, into: T[]): void {
  if (depth === 0) into.push(...leafItems(node));
  else for (let slot = 0; slot < node.length; slot++) collect(nodeAt(node, slot), depth - 1, into);
}
