import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PoolMessage, WorkerMessage } from './workerProcess.ts';

/** How a slot runs its worker. */
export interface SlotOptions {
  /** The bundle that a worker runs. */
  readonly workerFile: string;
  /** The data of a worker. */
  readonly data: object;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb: number;
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs: number;
}

/** The beginning of what V8 prints when it ends a process that needs too much memory. */
const FATAL = /<--- Last few GCs|FATAL ERROR|Fatal JavaScript/;

/**
 * One place for a worker: a process, whose end ends no other. The worker replays its captures one after the other.
 *
 *   empty ── run ──▶ starting ── ready ──▶ working ◀── result ──┐
 *                       ▲                     │  └──────────────┘
 *                       ├─────────────────────┤ the time is over, or the worker ended before its first result: the first capture fails
 *                       └─────────────────────┘ the worker ended: earlier captures may be the cause, so all the others are repeated
 */
export class WorkerSlot<R> {
  /** The captures without a result. */
  readonly #jobs: { readonly capture: string; readonly onResult: (result: R | StoppedResult) => void }[] = [];
  /** Those that the worker does not have yet. */
  readonly #unsent: string[] = [];
  #worker: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The number of results of this worker. */
  #results = 0;

  constructor(private readonly options: SlotOptions) {}

  /** The number of captures without a result. */
  get load(): number {
    return this.#jobs.length;
  }

  /** Replays a capture. */
  run(capture: string, onResult: (result: R | StoppedResult) => void): void {
    this.#jobs.push({ capture, onResult });
    if (this.#worker === undefined) return this.#start();
    if (this.#jobs.length === 1) this.#timer?.refresh();
    if (this.#unsent.push(capture) === 1) setImmediate(() => this.#send());
  }

  /** Sends the captures of this turn in one message: each message costs the worker and this process time. */
  #send(): void {
    if (this.#worker !== undefined) sendTo(this.#worker, { captures: this.#unsent.splice(0) });
  }

  /** Ends the worker, if there is one: nothing that it sends is received any more. Its captures have no result. */
  async end(): Promise<void> {
    const worker = this.#worker;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#worker = undefined;
    worker?.removeAllListeners().on('error', () => undefined);
    if (worker?.kill('SIGKILL')) await once(worker, 'exit');
  }

  /** Starts a worker. Its process group is its own: a signal from the terminal ends the command, which ends its workers. */
  #start(): void {
    const { workerFile, data, memoryMb, timeoutMs } = this.options;
    const worker = fork(workerFile, {
      // The stacks of errors name the sources. With several threads, the garbage collector takes up to a tenth more processor time, which the
      // other workers then lack.
      execArgv: ['--enable-source-maps', '--no-parallel-scavenge', `--max-old-space-size=${memoryMb}`],
      // What the replayed code prints must not be part of the report: its stdout is our stderr.
      stdio: ['ignore', 2, 'pipe', 'ipc'],
      serialization: 'advanced',
      detached: true,
    });
    this.#worker = worker;
    this.#results = 0;
    let lacksMemory = false;
    let stopped: string | undefined;
    worker.stderr?.on('data', (chunk: Buffer) => {
      lacksMemory ||= FATAL.test(chunk.toString());
      if (!lacksMemory) process.stderr.write(chunk);
    });
    worker.on('message', (message: WorkerMessage<R>) => {
      if (message === 'ready') this.#timer = setTimeout(() => this.#onTimeout(), timeoutMs);
      else if ('stopped' in message) stopped = `its worker stopped: ${message.stopped}`;
      else this.#onResult(message.result);
    });
    worker.on('error', (error) => this.#onEnd(`its worker does not start: ${error.message}`));
    // All that it has sent is read before.
    worker.on('close', (code, signal) => {
      if (lacksMemory) stopped = `needs more than ${memoryMb} MB of memory; --memory changes the limit`;
      this.#onEnd(stopped ?? `the replayed code ended its worker with ${signal ?? `status ${code}`}`);
    });
    sendTo(worker, { data });
    this.#unsent.splice(0, Infinity, ...this.#jobs.map(({ capture }) => capture));
    this.#send();
  }

  #onResult(result: R | StoppedResult): void {
    this.#results++;
    this.#timer?.refresh();
    this.#jobs.shift()?.onResult(result);
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

  #onEnd(problem: string): void {
    if (this.#results === 0) this.#failFirst(problem, 0);
    else this.#restart();
  }

  /** The first capture fails; another worker replays the others. */
  #failFirst(problem: string, ms: number): void {
    const job = this.#jobs.shift();
    const { capture = '' } = job ?? {};
    job?.onResult({ capture, ms, warnings: [], outcome: 'stopped', problem: `${capture}: ${problem}` });
    this.#restart();
  }

  #restart(): void {
    void this.end();
    if (this.#jobs.length > 0) this.#start();
  }
}

/** Sends to a worker; when it has just ended, its `close` says so. */
const sendTo = (worker: ChildProcess, message: PoolMessage) => worker.send(message, () => undefined);

/** The replayed code used too much time or memory, or ended its worker. */
export interface StoppedResult {
  readonly capture: string;
  /** Duration, milliseconds. */
  readonly ms: number;
  readonly warnings: readonly string[];
  readonly outcome: 'stopped';
  /** One line that names the file. */
  readonly problem: string;
}
