/** A first-in, first-out queue whose operations take constant time; `Array.shift` copies the remaining items. */
export interface Fifo<T> {
  push(item: T): void;
  /** Removes and returns the oldest item; returns `undefined` when there is none. */
  shift(): T | undefined;
  /** Returns the oldest item, or `undefined` when there is none. */
  peek(): T | undefined;
  clear(): void;
}

const COMPACT_FROM = 1024;

/** Creates an empty queue. */
export function fifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    peek: () => items[head],
    shift() {
      const item = items[head];
      if (head === items.length) return undefined;
      // The array is compacted later; the item itself, which may be a large snapshot, is released now.
      items[head++] = undefined;
      if (head >= COMPACT_FROM && head * 2 >= items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    clear() {
      items = [];
      head = 0;
    },
  };
}
