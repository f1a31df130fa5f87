/** First in, first out, each in constant time: `Array.shift` copies what remains. */
export interface Fifo<T> {
  push(item: T): void;
  /** Takes the oldest out, or `undefined`. */
  shift(): T | undefined;
  /** The oldest, or `undefined`. */
  peek(): T | undefined;
  clear(): void;
}

const COMPACT_FROM = 1024;

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
