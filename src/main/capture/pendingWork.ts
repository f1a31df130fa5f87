import type { Clock } from '#shared/time/clock.ts';

/** Work that the program's end waits for, but not for long. */
export interface PendingWork {
  /** Work that never rejects. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all is done, or after `ms`: then nothing is waited for any more. `undefined` when nothing is open. */
  settled(ms: number): Promise<void> | undefined;
  /** Resolves when all is done, however long it takes. */
  all(): Promise<void>;
}

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
