/**
 * ConcurrencyLimiter: so many at once, so many more waiting, in the order in which they came.
 *
 *            free                      done
 *   asked ────────▶ running ──────────────────▶ over
 *     │               ▲
 *     │ none free     │ a turn comes free
 *     ├──────────▶ waiting ──── waited too long ──▶ refused
 *     └──── too many wait, or closed ─────────────▶ refused
 */
import type { Clock } from './clock.ts';

export interface ConcurrencyLimiterOptions {
  readonly concurrency: number;
  readonly waiting: number;
  /** The longest wait for a turn. Milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

export interface ConcurrencyLimiter {
  /** Runs it when its turn comes; gives undefined, and does not run it, if that is too far away. */
  take<T>(run: () => Promise<T>): Promise<T | undefined>;
  /** Refuses whoever comes later, and waits for those who are here. */
  close(): Promise<void>;
}

/** Called with whether the turn has come. */
type Waiter = (hasTurn: boolean) => void;

export function createConcurrencyLimiter({
  concurrency,
  waiting,
  timeoutMs,
  clock,
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const queue = new Set<Waiter>();
  const here = new Set<Promise<unknown>>();
  let running = 0;
  let isClosed = false;

  const wait = () =>
    new Promise<boolean>((resolve) => {
      const waiter: Waiter = (hasTurn) => {
        cancel();
        queue.delete(waiter);
        resolve(hasTurn);
      };
      const cancel = clock.after(timeoutMs, () => waiter(false));
      queue.add(waiter);
    });

  /** A turn that comes free goes from hand to hand: nobody who comes in between can take it. */
  function pass(): void {
    const [next] = queue;
    if (next === undefined) running--;
    else next(true);
  }

  async function take<T>(run: () => Promise<T>): Promise<T | undefined> {
    if (running < concurrency) running++;
    else if (queue.size >= waiting || !(await wait())) return undefined;
    try {
      return await run();
    } finally {
      pass();
    }
  }

  return {
    async take(run) {
      if (isClosed) return undefined;
      const turn = take(run);
      here.add(turn);
      try {
        return await turn;
      } finally {
        here.delete(turn);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(here);
    },
  };
}
