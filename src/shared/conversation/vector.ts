/**
 * A persistent vector: a trie of plain arrays, 32 wide, with its last part (the tail) kept apart.
 *
 * A version is never changed; a new one shares all but the path to what differs, so an append costs the same
 * at any length, every version stays valid, and an unchanged part is the same reference. Plain data: it goes
 * through JSON and the structured clone as it is.
 */
export interface Vector<T> {
  readonly length: number;
  /** Levels of nodes from `root` down to the leaves. */
  readonly depth: number;
  /** What lies before the tail, in whole leaves. */
  readonly root: Node<T>;
  /** Up to 31 items before the last; a leaf once it would be 32. */
  readonly tail: readonly T[];
  /** The last item, apart, for it is what changes most; absent only in an empty vector. */
  readonly last?: T;
}

/** A list of nodes; at depth 0, a leaf: a list of 32 items. */
type Node<T> = readonly (Node<T> | T)[];

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

const EMPTY: Vector<never> = { length: 0, depth: 1, root: [], tail: [] };

/** The vector of nothing; always the same reference. */
export const emptyVector = <T>(): Vector<T> => EMPTY;

// The types cannot say how deep an array is nested: `depth` does.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const nodeAt = <T>(node: Node<T>, slot: number): Node<T> => (node[slot] ?? []) as Node<T>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const leafItems = <T>(node: Node<T>): readonly T[] => node as readonly T[];

/** A new version with `item` after the last. */
export function append<T>(vector: Vector<T>, item: T): Vector<T> {
  const { length, depth, root, tail, last: before } = vector;
  if (length === 0) return { length: 1, depth, root, tail, last: item };
  const grownTail = tail.concat([before as T]);
  if (grownTail.length < WIDTH) return { length: length + 1, depth, root, tail: grownTail, last: item };
  const index = length - WIDTH;
  const isFull = index === WIDTH ** (depth + 1);
  const grown: Growth<T> = isFull
    ? { node: [root], depth: depth + 1, index, leaf: grownTail }
    : { node: root, depth, index, leaf: grownTail };
  return { length: length + 1, depth: grown.depth, root: withLeaf(grown), tail: [], last: item };
}

interface Growth<T> {
  readonly node: Node<T>;
  readonly depth: number;
  /** Of the leaf's first item. */
  readonly index: number;
  readonly leaf: readonly T[];
}

/** A copy of the path to a new leaf, with the leaf. */
function withLeaf<T>({ node, depth, index, leaf }: Growth<T>): Node<T> {
  if (depth === 0) return leaf;
  const slot = (index >>> (BITS * depth)) & MASK;
  const copy = node.slice();
  copy[slot] = withLeaf({ node: nodeAt(node, slot), depth: depth - 1, index, leaf });
  return copy;
}

/** A new version whose last item is another; the vector must not be empty. */
export const replaceLast = <T>({ length, depth, root, tail }: Vector<T>, item: T): Vector<T> => ({
  length,
  depth,
  root,
  tail,
  last: item,
});

/** The last item, or `undefined` of an empty vector. */
export const last = <T>(vector: Vector<T>): T | undefined => vector.last;

/** The item at `index`, or `undefined` outside. */
export function itemAt<T>(vector: Vector<T>, index: number): T | undefined {
  if (index < 0 || index >= vector.length) return undefined;
  if (index === vector.length - 1) return vector.last;
  const start = vector.length - 1 - vector.tail.length;
  if (index >= start) return vector.tail[index - start];
  let node = vector.root;
  for (let depth = vector.depth; depth > 0; depth--) node = nodeAt(node, (index >>> (BITS * depth)) & MASK);
  return leafItems(node)[index & MASK];
}

/** The vector of a list's items. */
export function vectorOf<T>(items: readonly T[]): Vector<T> {
  const final = items.length - 1;
  if (final < 0) return EMPTY;
  if (final === 0) return { length: 1, depth: 1, root: EMPTY.root, tail: EMPTY.tail, last: items[0] as T };
  const start = final & ~MASK;
  let depth = 1;
  let root: Node<T> = inChunks(items.slice(0, start));
  for (; root.length > WIDTH; depth++) root = inChunks(root);
  return { length: items.length, depth, root, tail: items.slice(start, final), last: items[final] as T };
}

const inChunks = <U>(list: readonly U[]): U[][] =>
  Array.from({ length: Math.ceil(list.length / WIDTH) }, (_, i) => list.slice(i * WIDTH, (i + 1) * WIDTH));

/** A fresh array of the items. */
export function toArray<T>(vector: Vector<T>): T[] {
  const result: T[] = [];
  collect(vector.root, vector.depth, result);
  return vector.length === 0 ? result : result.concat(vector.tail, [vector.last as T]);
}

function collect<T>(node: Node<T>, depth: number, into: T[]): void {
  if (depth === 0) into.push(...leafItems(node));
  else for (let slot = 0; slot < node.length; slot++) collect(nodeAt(node, slot), depth - 1, into);
}
