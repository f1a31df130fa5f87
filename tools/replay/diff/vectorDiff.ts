import { type Vector, itemAt } from '#shared/conversation/vector.ts';

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
