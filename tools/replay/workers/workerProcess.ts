import { Worker } from 'node:worker_threads';
import { thrownText } from './thrownError.ts';

/** What a worker sends: first that it is ready, then a result for each capture; or why it stops. */
export type WorkerMessage<R> = 'ready' | { readonly result: R } | { readonly stopped: string };

/** What a worker receives: first its data, then captures. */
export type PoolMessage = { readonly data: object } | { readonly captures: readonly string[] };

/** Ends the process when the process that started it has ended. A thread of its own can do this while the replayed code loops. */
const WATCH_PARENT = `const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);`;

/** The worker's half of its connection to the pool. */
interface WorkerPort<D, R> {
  readonly data: D;
  /** Begins to receive captures: `listener` is called with each of them at once. */
  readonly receive: (listener: (capture: string) => void) => void;
  /** Sends a result; resolves when the pool can read it, also when this process ends. */
  readonly send: (result: R) => Promise<void>;
}

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
      if ('captures' in message) for (const capture of message.captures) take(capture);
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
    send: (result) => new Promise<void>((resolve) => send({ result }, resolve)),
  };
}
