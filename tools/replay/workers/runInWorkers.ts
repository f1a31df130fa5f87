import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isS3Url } from '../read/s3.ts';
import { type SlotOptions, type StoppedResult, WorkerSlot } from './workerSlot.ts';

/** The limits of workers that the user may set. */
export interface WorkerLimits {
  /** Number of workers, which are processes; the number of cores by default. */
  readonly workers?: number | undefined;
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb?: number | undefined;
}

/** The limits of one capture, unless others are given. */
export const DEFAULT_LIMITS = { timeoutMs: 60_000, memoryMb: 2048 } as const;

/** The paths of captures. */
export type Captures = Iterable<string> | AsyncIterable<string>;

/** Options of {@link runInWorkers}. */
export interface PoolOptions extends WorkerLimits, Pick<SlotOptions, 'workerFile' | 'data'> {
  /** Ends the replays: captures without a result get none. */
  readonly signal: AbortSignal;
  /** Yields results as they are ready instead of in the order of the captures. */
  readonly isUnordered?: boolean;
}

/** The most captures of a worker: it does not wait when this thread is delayed, because all cores are busy. */
const PLACES = 16;
/** The same from an S3-compatible store. The worker has opened them all: each answer takes much longer than the reading of a file. */
const REMOTE_PLACES = 24;
/** The most results that wait for an earlier one: they are then yielded before it. */
const LOOKAHEAD = 256;
/** The most results that are not read yet. */
const UNREAD = 2 * LOOKAHEAD;

/**
 * Replays captures in workers, which are processes; yields the results. `R` is the result that a worker sends. Takes captures only as
 * fast as they are replayed. A capture that takes too long, or whose replay ends its worker, fails, and hides no other.
 */
export async function* runInWorkers<R>(
  captures: Captures,
  {
    workers = availableParallelism(),
    timeoutMs = DEFAULT_LIMITS.timeoutMs,
    memoryMb = DEFAULT_LIMITS.memoryMb,
    signal,
    isUnordered = false,
    ...worker
  }: PoolOptions,
): AsyncGenerator<R | StoppedResult, void> {
  const slots = Array.from({ length: workers }, () => new WorkerSlot<R>({ ...worker, timeoutMs, memoryMb }));
  const pool: Pool<R> = { slots, results: new Map(), changes: new EventEmitter(), isEnded: false };
  const { results, changes } = pool;
  const notify = () => void changes.emit('change');
  let isDistributed = false;
  const distributing = distribute(captures, pool).finally(() => {
    isDistributed = true;
    notify();
  });
  void distributing.catch(() => undefined);
  signal.addEventListener('abort', notify);
  let next = 0;
  try {
    for (;;) {
      const isLast = signal.aborted || (isDistributed && slots.every(({ load }) => load === 0));
      const first = Math.min(...results.keys());
      const result = results.get(first);
      if (result !== undefined && (first <= next || isUnordered || isLast || results.size > LOOKAHEAD)) {
        results.delete(first);
        next = Math.max(next, first + 1);
        // There is room for another result.
        notify();
        yield result;
      } else if (isLast) break;
      else await once(changes, 'change');
    }
    if (isDistributed) await distributing;
  } finally {
    signal.removeEventListener('abort', notify);
    pool.isEnded = true;
    notify();
    await Promise.all(slots.map((slot) => slot.end()));
  }
}

interface Pool<R> {
  readonly slots: readonly WorkerSlot<R>[];
  /** Those that are not read yet, by the place of the capture. */
  readonly results: Map<number, R | StoppedResult>;
  /** Emits `change` when there is a result, or room for one. */
  readonly changes: EventEmitter;
  isEnded: boolean;
}

/** Gives each capture to the worker with the fewest, when that has a place. */
async function distribute<R>(captures: Captures, pool: Pool<R>): Promise<void> {
  const { slots, results, changes } = pool;
  let count = 0;
  for await (const capture of captures) {
    const places = isS3Url(capture) ? REMOTE_PLACES : PLACES;
    let slot = leastLoaded(slots);
    let most = places;
    while (!pool.isEnded && (slot.load >= most || results.size >= UNREAD)) {
      // Then several captures have places, and go in one message.
      most = places / 2;
      await once(changes, 'change');
      slot = leastLoaded(slots);
    }
    if (pool.isEnded) return;
    const index = count++;
    slot.run(capture, (result) => {
      results.set(index, result);
      changes.emit('change');
    });
  }
}

const leastLoaded = <R>(slots: readonly WorkerSlot<R>[]): WorkerSlot<R> =>
  slots.reduce((least, one) => (one.load < least.load ? one : least));
