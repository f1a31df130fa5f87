import { type ChildProcess, fork } from 'node:child_process';
import { isS3Url } from '../read/s3.ts';
import type { PoolMessage, WorkerMessage } from './workerProcess.ts';

/** A capture that a worker replays, with its place in the order of all captures. */
export interface Job {
  readonly index: number;
  readonly capture: string;
  /** Whether a worker stopped while it had this capture and others: it is repeated alone, to find which one is the cause. */
  readonly isSuspect?: boolean;
}

/** What a slot needs. `R` is the result that its worker sends. */
export interface SlotOptions<R> {
  /** The bundle that a worker runs. */
  readonly workerFile: string;
  /** The data of a worker. */
  readonly data: object;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb: number;
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

/** The beginning of what V8 prints when it ends a process that needs too much memory. */
const FATAL = /<--- Last few GCs|FATAL ERROR|Fatal JavaScript/;

/**
 * One place for a worker: a process, whose end ends no other.
 *
 *   empty ── add ──▶ starting ── ready ──▶ working ◀── result ──┐
 *     ▲                 │                     │  └──────────────┘
 *     ├──── the time is over: the first capture fails, the others are returned
 *     └──── the worker stopped: its only capture fails, or several are returned as suspects
 */
export class WorkerSlot<R> {
  readonly #jobs: Job[] = [];
  #worker: ChildProcess | undefined;
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
    sendTo(this.#worker, { capture: job.capture });
  }

  /** Stops the worker; its captures have no result. */
  async end(): Promise<void> {
    this.#jobs.length = 0;
    await this.#endWorker();
  }

  /** Starts a worker. Its process group is its own: a signal from the terminal ends the command, which ends its workers. */
  #start(): ChildProcess {
    const { workerFile, data, memoryMb } = this.options;
    const worker = fork(workerFile, {
      // The stacks of errors name the sources. With several threads, the garbage collector takes up to a tenth more processor time, which the
      // other workers then lack.
      execArgv: ['--enable-source-maps', '--no-parallel-scavenge', `--max-old-space-size=${memoryMb}`],
      // What the replayed code prints must not be part of the report: its stdout is our stderr.
      stdio: ['ignore', 2, 'pipe', 'ipc'],
      serialization: 'advanced',
      detached: true,
    });
    let lacksMemory = false;
    worker.stderr?.on('data', (chunk: Buffer) => {
      lacksMemory ||= FATAL.test(chunk.toString());
      if (!lacksMemory) process.stderr.write(chunk);
    });
    worker.on('message', (message: WorkerMessage<R>) => {
      if (message === 'ready') this.#onReady();
      else if ('stopped' in message) this.#onStop(`its worker stopped: ${message.stopped}`);
      else this.#onResult(message.result);
    });
    worker.on('error', (error) => this.#onStop(`its worker does not start: ${error.message}`));
    worker.on('exit', (code, signal) => {
      if (lacksMemory) this.#onStop(`needs more than ${memoryMb} MB of memory; --memory changes the limit`);
      else this.#onStop(`the replayed code ended its worker with ${signal ?? `status ${code}`}`);
    });
    sendTo(worker, { data });
    return worker;
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
      if (this.#worker === worker && this.#results === results) this.#failFirst(problem, timeoutMs);
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
    if (this.#jobs.length <= 1) this.#failFirst(problem, 0);
    else {
      void this.#endWorker();
      const jobs = this.#jobs.splice(0);
      this.options.onReturned(jobs.map(({ index, capture }) => ({ index, capture, isSuspect: true })));
    }
  }

  /** The first capture fails; the others are returned. A worker without captures is only removed. */
  #failFirst(problem: string, ms: number): void {
    void this.#endWorker();
    const [job, ...others] = this.#jobs.splice(0);
    if (job === undefined) return;
    const { capture } = job;
    const stopped = { outcome: 'stopped', problem: `${capture}: ${problem}` } as const;
    this.options.onResult(job, { capture, ms, warnings: [], ...stopped });
    this.options.onReturned(others);
  }

  /** Ends the worker, if there is one. Nothing that it sends is received any more. */
  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#worker = undefined;
    worker?.removeAllListeners().on('error', () => undefined);
    if (worker?.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGKILL');
    await ended;
  }
}

/** Sends to a worker; when it has just ended, its `exit` says so. */
const sendTo = (worker: ChildProcess, message: PoolMessage) => worker.send(message, () => undefined);

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
