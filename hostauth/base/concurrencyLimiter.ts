/*
 * A task of the limiter:
 *
 *            slot free                  done
 *   run() ────────────▶ running ──────────────────▶ ended
 *     │                    ▲
 *     │ no slot free       │ a slot becomes free
 *     ├──────────────▶ waiting ──── timeout ──────▶ refused
 *     └──── queue full, or closed ────────────────▶ refused
 */
import type { Clock } from './clock.ts';

/** The options of `createConcurrencyLimiter`. */
interface ConcurrencyLimiterOptions {
  /** The most tasks that run at once. */
  readonly concurrency: number;
  /** The most tasks that wait. */
  readonly waiting: number;
  /** The longest wait for a slot, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/** Runs a limited number of tasks at once; others wait for a slot. */
interface ConcurrencyLimiter {
  /** Runs a task when a slot is free, in the order of the calls. Resolves to `undefined` when the task was refused. */
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** Refuses later tasks; resolves when those that run or wait have ended. */
  close(): Promise<void>;
}

/** Called with whether a slot is free. */
type Waiter = (hasSlot: boolean) => void;

/** Limits how many tasks run at once. */
export function createConcurrencyLimiter(options: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const slots = createSlots(options);
  const tasks = new Set<Promise<unknown>>();
  let isClosed = false;

  async function runInSlot<T>(task: () => Promise<T>): Promise<T | undefined> {
    // At once when a slot is free.
    if (!slots.tryTake() && !(await slots.wait())) return undefined;
    try {
      return await task();
    } finally {
      slots.free();
    }
  }

  return {
    async run(task) {
      if (isClosed) return undefined;
      const running = runInSlot(task);
      tasks.add(running);
      try {
        return await running;
      } finally {
        tasks.delete(running);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(tasks);
    },
  };
}

function createSlots({ concurrency, waiting, timeoutMs, clock }: ConcurrencyLimiterOptions) {
  const queue = new Set<Waiter>();
  let used = 0;

  const wait = () =>
    new Promise<boolean>((resolve) => {
      const waiter: Waiter = (hasSlot) => {
        cancel();
        queue.delete(waiter);
        resolve(hasSlot);
      };
      const cancel = clock.after(timeoutMs, () => waiter(false));
      queue.add(waiter);
    });

  return {
    /** Takes a free slot. */
    tryTake(): boolean {
      if (used === concurrency) return false;
      used++;
      return true;
    },
    /** Waits for a slot; resolves to whether it was passed on in time. */
    wait: async (): Promise<boolean> => queue.size < waiting && wait(),
    /** Passes a slot to the task that has waited longest: a task that arrives now cannot take it. */
    free(): void {
      const [next] = queue;
      if (next === undefined) used--;
      else next(true);
    },
  };
}
