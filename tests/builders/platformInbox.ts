/** Creates a queue of events: all so far, and the next one when it arrives. */
export function platformInbox<T extends string | number | object>() {
  const all: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  let taken = 0;
  return {
    /** Everything that arrived so far, taken or not. */
    all: all as readonly T[],
    push(item: T): void {
      all.push(item);
      waiting.shift()?.(item);
    },
    /** Takes the oldest item that was not taken; waits for one when there is none. */
    next(): Promise<T> {
      const item = all[taken++];
      if (item !== undefined) return Promise.resolve(item);
      return new Promise((resolve) => void waiting.push(resolve));
    },
  };
}
