/** What happened, in order: all of it so far, and the next of it when it comes. */
export interface Inbox<T extends string | number | object> {
  /** All that came so far, whether taken or not. */
  readonly all: readonly T[];
  push(item: T): void;
  /** Takes the oldest that was not taken yet; waits for it when there is none. */
  next(): Promise<T>;
}

/** An empty inbox. */
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
