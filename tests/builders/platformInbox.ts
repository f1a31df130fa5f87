/** A queue of events: all so far, and the next one when it arrives. */
export interface Inbox<T extends string | number | object> {
  /** Everything that arrived so far, taken or not. */
  readonly all: readonly T[];
  push(item: T): void;
  /** Takes the oldest item that was not taken; waits for one when there is none. */
  next(): Promise<T>;
}

/** Creates an empty inbox. */
export function platformInbox<T extends string | number | object>(): Inbox<T> {
  const all: T[] = [];
  const untaken: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    all,
    push(item) {
      all.push(item);
      const take = waiting.shift();
      if (take === undefined) untaken.push(item);
      else take(item);
    },
    next() {
      const item = untaken.shift();
      if (item !== undefined) return Promise.resolve(item);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
}
