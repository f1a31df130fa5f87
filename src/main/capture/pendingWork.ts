import type { Clock } from '#shared/clock.ts';

/** Work that the program waits for before it ends, for a limited time. */
interface PendingWork {
  /** Adds work that never rejects; returns its promise. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all work is done, or after `ms`. Returns `undefined` when there is no work. */
  settled(ms: number): Promise<void> | undefined;
  /** Resolves when all work is done. */
  all(): Promise<void>;
}

/** Creates an empty set of pending work. */
export function pendingWork(clock: Clock): PendingWork {
  const open = new Set<Promise<unknown>>();
  return {
    async add(work) {
      open.add(work);
      const result = await work;
      open.delete(work);
      return result;
    },
    settled(ms) {
      if (open.size === 0) return undefined;
      const giveUp = new Promise<void>((resolve) => void clock.after(ms, resolve));
      return Promise.race([Promise.all(open), giveUp]).then(() => open.clear());
    },
    all: async () => void (await Promise.all(open)),
  };
}
