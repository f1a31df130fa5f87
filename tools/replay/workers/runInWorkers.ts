import { type Job, type SlotOptions, type StoppedResult, WorkerSlot } from './workerSlot.ts';

/** Options of {@link runInWorkers}. */
interface PoolOptions extends Omit<SlotOptions<never>, 'onResult' | 'onReturned'> {
  /** Number of workers. */
  readonly workers: number;
  /** Ends the replays: captures without a result get none. */
  readonly signal: AbortSignal;
  /** Yields results as they are ready instead of in the order of the captures. */
  readonly isUnordered?: boolean;
}

/**
 * Replays captures in workers, which are processes; yields the results. `R` is the result that a worker sends. Takes captures only as
 * fast as they are replayed. A capture that takes too long, or whose replay ends its worker, fails, and hides no other.
 */
export async function* runInWorkers<R>(
  captures: AsyncIterable<string>,
  { isUnordered = false, ...options }: PoolOptions,
): AsyncGenerator<R | StoppedResult, void> {
  const results = numberedResults<R>(captures, options);
  if (isUnordered) for await (const { value } of results) yield value;
  else yield* inOrder(results);
}

async function* numberedResults<R>(
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
function distribute<R>(source: ReturnType<typeof jobsOf>, slots: readonly WorkerSlot<R>[]): void {
  for (;;) {
    const slot = slots.reduce((least, one) => (one.load < least.load ? one : least));
    const job = source.next();
    if (job === undefined || !slot.accepts(job)) return;
    source.take();
    slot.add(job);
  }
}

/** The number of captures that are found in advance. */
const AHEAD = 128;

/** Returns the captures that have no worker yet. */
function jobsOf(captures: AsyncIterable<string>, notify: () => void) {
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
    /** Returns the next job; when it is not there yet, requests it. */
    next(): Job | undefined {
      if (state === 'idle' && waiting.length < AHEAD / 2) void read();
      return waiting[0];
    },
    /** Removes the next job. */
    take: () => void waiting.shift(),
    giveBack(jobs: readonly Job[]) {
      waiting.unshift(...jobs);
      notify();
    },
    isExhausted: () => state === 'ended' && waiting.length === 0,
    /** @throws the error with which finding the captures ended. */
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
    async end(): Promise<void> {
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

/** The most results that wait for one that is missing for a long time: they are then yielded before it. */
const LOOKAHEAD = 256;

/** Yields values in their order. */
async function* inOrder<T>(values: AsyncIterable<Numbered<T>>): AsyncGenerator<T, void> {
  const waiting = new Map<number, Numbered<T>>();
  let next = 0;
  for await (const numbered of values) {
    if (numbered.index < next) {
      yield numbered.value;
      continue;
    }
    waiting.set(numbered.index, numbered);
    if (waiting.size > LOOKAHEAD) next = Math.min(...waiting.keys());
    for (let found = waiting.get(next); found !== undefined; found = waiting.get(++next)) {
      waiting.delete(next);
      yield found.value;
    }
  }
  for (const { value } of [...waiting.values()].sort((a, b) => a.index - b.index)) yield value;
}
