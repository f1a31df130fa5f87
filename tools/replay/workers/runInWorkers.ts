import { type Job, type SlotOptions, type StoppedResult, WorkerSlot } from './workerSlot.ts';

/** Options of {@link runInWorkers}. */
interface PoolOptions extends Omit<SlotOptions<never>, 'onResult' | 'onReturned'> {
  /** Number of workers. */
  readonly workers: number;
  /** Ends the replays: captures without a result get none. */
  readonly signal: AbortSignal;
}

/**
 * Replays captures in workers, which are processes; yields the results as they are ready. `R` is the result that a worker sends. Takes captures only as
 * fast as they are replayed. A capture that takes too long, or whose replay ends its worker, fails, and hides no other.
 */
export async function* runInWorkers<R>(
  captures: AsyncIterable<string>,
  { workers, signal, ...slotOptions }: PoolOptions,
): AsyncGenerator<Numbered<R | StoppedResult>, void> {
  const results: Numbered<R | StoppedResult>[] = [];
  const change = createChange();
  const source = jobsOf(captures, change.notify);
  const slots = Array.from(
    { length: workers },
    () =>
      new WorkerSlot<R>({
        ...slotOptions,
        onResult: ({ index }, value) => {
          results.push({ index, value });
          change.notify();
        },
        onReturned: (jobs) => source.giveBack(jobs),
      }),
  );
  const isDone = () => source.isExhausted() && slots.every(({ load }) => load === 0);
  signal.addEventListener('abort', change.notify);
  try {
    while (!signal.aborted) {
      distribute(source, slots);
      if (results.length > 0) yield* results.splice(0);
      else if (isDone()) break;
      else await change.wait();
    }
    yield* results;
    source.throwFailure();
  } finally {
    signal.removeEventListener('abort', change.notify);
    await Promise.all([...slots.map((slot) => slot.end()), source.end()]);
  }
}

/** Gives jobs to the workers with the fewest. A job that is not there yet is requested. */
function distribute<R>(source: JobSource, slots: readonly WorkerSlot<R>[]): void {
  for (;;) {
    const slot = slots.reduce((least, one) => (one.load < least.load ? one : least));
    const job = source.next();
    if (job === undefined || !slot.accepts(job)) return;
    source.take();
    slot.add(job);
  }
}

/** The captures that have no worker yet. */
interface JobSource {
  /** Returns the next job; when it is not there yet, requests it. */
  next(): Job | undefined;
  /** Removes the next job. */
  take(): void;
  giveBack(jobs: readonly Job[]): void;
  isExhausted(): boolean;
  /** @throws the error with which finding the captures ended. */
  throwFailure(): void;
  end(): Promise<void>;
}

/** The number of captures that are found in advance. */
const AHEAD = 128;

function jobsOf(captures: AsyncIterable<string>, notify: () => void): JobSource {
  const iterator = captures[Symbol.asyncIterator]();
  const waiting: Job[] = [];
  let index = 0;
  let state: 'idle' | 'reading' | 'ended' = 'idle';
  let failure: { readonly error: unknown } | undefined;
  const read = async () => {
    state = 'reading';
    let isEnded = false;
    try {
      while (!isEnded && waiting.length < AHEAD) {
        const next = await iterator.next();
        if (next.done) isEnded = true;
        else {
          waiting.push({ index: index++, capture: next.value });
          if (waiting.length === 1) notify();
        }
      }
    } catch (error) {
      failure = { error };
    }
    state = isEnded || failure !== undefined ? 'ended' : 'idle';
    notify();
  };
  return {
    next() {
      if (state === 'idle' && waiting.length < AHEAD / 2) void read();
      return waiting[0];
    },
    take: () => void waiting.shift(),
    giveBack(jobs) {
      waiting.unshift(...jobs);
      notify();
    },
    isExhausted: () => state === 'ended' && waiting.length === 0,
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
    async end() {
      const end = iterator.return?.();
      // A read that waits for more input would delay the end.
      if (state !== 'reading') await end;
    },
  };
}

/** Lets one reader wait until something has changed. */
function createChange() {
  let isChanged = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      isChanged = true;
      wake?.();
    },
    async wait() {
      if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      isChanged = false;
    },
  };
}

/** A value with its place in the order, from 0. */
interface Numbered<T> {
  readonly index: number;
  readonly value: T;
}

/**
 * Yields values in their order. When one is missing for a long time, it does not hold back more than `lookahead` others: these are
 * then yielded before it.
 */
export async function* inOrder<T>(
  values: AsyncIterable<Numbered<T>>,
  lookahead = 256,
): AsyncGenerator<T, void> {
  const waiting = new Map<number, T>();
  let next = 0;
  for await (const { index, value } of values) {
    if (index < next) {
      yield value;
      continue;
    }
    waiting.set(index, value);
    if (waiting.size > lookahead) next = Math.min(...waiting.keys());
    for (; waiting.has(next); next++) yield taken(waiting, next);
  }
  for (const index of [...waiting.keys()].sort((a, b) => a - b)) yield taken(waiting, index);
}

function taken<T>(from: Map<number, T>, index: number): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const value = from.get(index) as T;
  from.delete(index);
  return value;
}
