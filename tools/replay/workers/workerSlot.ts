import { isS3Url } from '../read/s3.ts';
import { type RunningWorker, type WorkerOptions, startWorker } from './workerProcess.ts';

/** A capture that a worker replays, with its place in the order of all captures. */
export interface Job {
  readonly index: number;
  readonly capture: string;
  /** Whether a worker stopped while it had this capture and others: it is repeated alone, to find which one is the cause. */
  readonly isSuspect?: boolean;
}

/** What a slot needs. `R` is the result that its worker sends. */
export interface SlotOptions<R> extends Pick<WorkerOptions<R>, 'workerFile' | 'data' | 'memoryMb'> {
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs: number;
  /** Is called with each result. */
  readonly onResult: (job: Job, result: R | StoppedResult) => void;
  /** Is called with the jobs that a worker did not complete when it stopped. */
  readonly onReturned: (jobs: readonly Job[]) => void;
}

/** The fewest captures of a worker: the one that it replays, and the next one. */
const LEAST_LOAD = 2;
/** The most captures of a worker. */
const MOST_LOAD = 64;
/** How long the captures of a worker take, milliseconds: it does not wait when this thread is delayed, because all cores are busy. */
const LOAD_MS = 50;
/** The captures of a worker from an S3-compatible store. It has opened them all: each answer takes much longer than the reading of a file. */
const REMOTE_LOAD = 24;

/**
 * One place for a worker.
 *
 *   empty ── add ──▶ starting ── ready ──▶ working ◀── result ──┐
 *     ▲                 │                     │  └──────────────┘
 *     ├──── the time is over: the first capture fails, the others are returned
 *     └──── the worker stopped: its only capture fails, or several are returned as suspects
 */
export class WorkerSlot<R> {
  readonly #jobs: Job[] = [];
  #worker: RunningWorker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #readyAt = 0;
  #results = 0;

  constructor(private readonly options: SlotOptions<R>) {}

  /** The number of captures without a result. A suspect takes all places. */
  get load(): number {
    return this.#jobs[0]?.isSuspect === true ? Infinity : this.#jobs.length;
  }

  /** Returns whether the slot takes this job now. */
  accepts(job: Job): boolean {
    return job.isSuspect === true ? this.load === 0 : this.load < this.#placesFor(job);
  }

  /** Returns the number of captures that the worker may have. */
  #placesFor({ capture }: Job): number {
    if (isS3Url(capture)) return REMOTE_LOAD;
    const usual = (LOAD_MS * this.#results) / (performance.now() - this.#readyAt + 1);
    return Math.min(Math.max(LEAST_LOAD, Math.ceil(usual)), MOST_LOAD);
  }

  add(job: Job): void {
    this.#jobs.push(job);
    if (this.#jobs.length === 1) this.#timer?.refresh();
    this.#worker ??= this.#start();
    this.#worker.send(job.capture);
  }

  /** Stops the worker; its captures have no result. */
  async end(): Promise<void> {
    const worker = this.#leave();
    this.#jobs.length = 0;
    await worker?.end();
  }

  #start(): RunningWorker {
    const { workerFile, data, memoryMb } = this.options;
    return startWorker<R>({
      workerFile,
      data,
      memoryMb,
      onReady: () => this.#onReady(),
      onResult: (result) => this.#onResult(result),
      onStop: (problem) => this.#onStop(problem),
    });
  }

  #onReady(): void {
    this.#readyAt = performance.now();
    this.#results = 0;
    this.#timer = setTimeout(() => this.#onTimeout(), this.options.timeoutMs);
  }

  /** The time is over. When this thread was delayed, the result may have arrived in that time: it is read first. */
  #onTimeout(): void {
    const { timeoutMs } = this.options;
    const [worker, results] = [this.#worker, this.#results];
    const problem = `took longer than ${timeoutMs / 1000} s; --timeout changes the limit`;
    setImmediate(() => {
      if (this.#worker === worker && this.#results === results) this.#failFirst({ problem, ms: timeoutMs });
    });
  }

  #onResult(result: R): void {
    const job = this.#jobs.shift();
    this.#results++;
    this.#timer?.refresh();
    if (job !== undefined) this.options.onResult(job, result);
  }

  /** The worker stopped. Which of several captures was the cause is unknown: results that were on their way are lost. */
  #onStop(problem: string): void {
    if (this.#jobs.length <= 1) this.#failFirst({ problem, ms: 0 });
    else {
      void this.#leave();
      const jobs = this.#jobs.splice(0);
      this.options.onReturned(jobs.map(({ index, capture }) => ({ index, capture, isSuspect: true })));
    }
  }

  /** The first capture fails; the others are returned. A worker without captures is only removed. */
  #failFirst({ problem, ms }: { readonly problem: string; readonly ms: number }): void {
    void this.#leave()?.end();
    const [job, ...others] = this.#jobs.splice(0);
    if (job === undefined) return;
    const { capture } = job;
    const stopped = { outcome: 'stopped', problem: `${capture}: ${problem}` } as const;
    this.options.onResult(job, { capture, ms, warnings: [], ...stopped });
    this.options.onReturned(others);
  }

  /** Forgets the worker, which has stopped or is to be ended. */
  #leave(): RunningWorker | undefined {
    const worker = this.#worker;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#worker = undefined;
    return worker;
  }
}

/** The fields of every result of a capture. */
export interface Finished {
  readonly capture: string;
  /** Duration, milliseconds. */
  readonly ms: number;
  /** Problems that do not prevent the use of the file. */
  readonly warnings: readonly string[];
}

/** The replayed code used too much time or memory, or ended its worker; `problem` is one line that names the file. */
export type StoppedResult = Finished & { readonly outcome: 'stopped'; readonly problem: string };
