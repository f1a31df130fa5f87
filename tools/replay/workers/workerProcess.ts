import { type ChildProcess, fork } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { thrownText } from './thrownError.ts';

/** What `startWorker` needs. `R` is the result that the worker sends. */
export interface WorkerOptions<R> {
  /** The bundle that the worker runs. */
  readonly workerFile: string;
  /** The worker's data. */
  readonly data: object;
  /** The largest heap of the worker, MiB. */
  readonly memoryMb: number;
  /** Is called when the worker receives captures. */
  readonly onReady: () => void;
  readonly onResult: (result: R) => void;
  /** Is called once, when the worker has stopped. */
  readonly onStop: (problem: string) => void;
}

/** A worker: a process of its own, whose end ends no other. */
export interface RunningWorker {
  readonly send: (capture: string) => void;
  /** Ends the worker. Nothing is called any more. */
  readonly end: () => Promise<void>;
}

/** The beginning of what V8 prints when it ends a process that needs too much memory. */
const FATAL = /<--- Last few GCs|FATAL ERROR|Fatal JavaScript/;

/** Starts a worker. Its process group is its own: a signal from the terminal ends the command, which ends its workers. */
export function startWorker<R>(options: WorkerOptions<R>): RunningWorker {
  const { workerFile, data, memoryMb, onStop } = options;
  const worker = fork(workerFile, {
    // The stacks of errors name the sources. With several threads, the garbage collector takes up to a tenth more processor time, which the
    // other workers then lack.
    execArgv: ['--enable-source-maps', '--no-parallel-scavenge', `--max-old-space-size=${memoryMb}`],
    // What the replayed code prints must not be part of the report: its stdout is our stderr.
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
  const hasFailed = forwardErrors(worker);
  const stop = (problem: string) => {
    void end(worker);
    onStop(problem);
  };
  worker.on('message', (message: WorkerMessage<R>) => {
    if (message === 'ready') options.onReady();
    else if ('stopped' in message) stop(`its worker stopped: ${message.stopped}`);
    else options.onResult(message.result);
  });
  worker.on('error', (error) => stop(`its worker does not start: ${error.message}`));
  worker.on('exit', (code, signal) => {
    if (hasFailed()) stop(`needs more than ${memoryMb} MB of memory; --memory changes the limit`);
    else stop(`the replayed code ended its worker with ${signal ?? `status ${code}`}`);
  });
  const send = (message: PoolMessage) => worker.send(message, () => undefined);
  send({ data });
  return { send: (capture) => send({ capture }), end: () => end(worker) };
}

/** Forwards what the replayed code prints, without what V8 prints at the end of its memory. Returns whether V8 has printed that. */
function forwardErrors({ stderr }: ChildProcess): () => boolean {
  let isFatal = false;
  stderr?.on('data', (chunk: Buffer) => {
    isFatal ||= FATAL.test(chunk.toString());
    if (!isFatal) process.stderr.write(chunk);
  });
  return () => isFatal;
}

async function end(worker: ChildProcess): Promise<void> {
  worker.removeAllListeners();
  worker.on('error', () => undefined);
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await ended;
}

/** What a worker sends: first that it is ready, then a result for each capture; or why it stops. */
type WorkerMessage<R> = 'ready' | { readonly result: R } | { readonly stopped: string };

/** What a worker receives: first its data, then captures. */
type PoolMessage = { readonly data: object } | { readonly capture: string };

/** The worker's half of its connection to the pool. */
interface WorkerPort<D, R> {
  readonly data: D;
  /** Begins to receive captures: `listener` is called with each of them at once. */
  readonly receive: (listener: (capture: string) => void) => void;
  readonly send: (result: R) => void;
}

/** Ends the process when the process that started it has ended. A thread of its own can do this while the replayed code loops. */
const WATCH_PARENT = `const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);`;

/** Connects this process, which is a worker, to the pool that started it. `D` is the data that it receives, `R` the result that it sends. */
export async function connectToPool<D, R>(): Promise<WorkerPort<D, R>> {
  const waiting: string[] = [];
  let take = (capture: string): void => void waiting.push(capture);
  const send = (message: WorkerMessage<R>, onSent?: () => void) =>
    process.send?.(message, undefined, undefined, onSent);
  process.on('uncaughtException', (error) => send({ stopped: thrownText(error) }, () => process.exit(1)));
  process.on('disconnect', () => process.exit());
  new Worker(WATCH_PARENT, { eval: true, execArgv: [] }).unref();
  const data = await new Promise<D>((resolve) => {
    process.on('message', (message: PoolMessage) => {
      if ('capture' in message) take(message.capture);
      // The pool sends the data of this worker.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      else resolve(message.data as D);
    });
  });
  return {
    data,
    receive(listener) {
      take = listener;
      send('ready');
      for (const capture of waiting.splice(0)) listener(capture);
    },
    send: (result) => send({ result }),
  };
}
