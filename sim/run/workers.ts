import { type ChildProcess, fork } from 'node:child_process';
import { programLoader } from '../programs/loadProgram.ts';
import { type HistoryResult, runHistory } from './runHistory.ts';

const WORKER = 'PARLEY_SIM_WORKER';
/** Each seed with this remainder runs twice: both histories must have the same hash. */
const TWICE = 50;

/** Returns whether this process is one of the workers. */
export const isWorkerProcess = (): boolean => process.env[WORKER] !== undefined;

/** More room for young objects, and no threads that collect: the other cores run histories. */
const COLLECTOR = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--single-threaded-gc'];

type Bundles = Readonly<Record<string, string>>;

/** Runs the history of a seed; now and then twice, which must give the same hash. */
async function runChecked(seed: number, load: ReturnType<typeof programLoader>): Promise<HistoryResult> {
  const result = await runHistory(seed, load);
  if (seed % TWICE !== 0) return result;
  const { hash } = await runHistory(seed, load);
  if (hash === result.hash) return result;
  const text = `the history is not the same when it runs again: ${result.hash}, then ${hash}`;
  return { ...result, failures: [...result.failures, { check: 0, text, at: 0 }] };
}

/** Runs histories for the process that started this one. */
export function serveAsWorker(): void {
  let load: ReturnType<typeof programLoader> | undefined;
  // Redux reads the environment at each action, which takes a call of the system's library.
  process.env = { ...process.env };
  process.on('message', (message: { readonly bundles?: Bundles; readonly seed?: number }) => {
    if (message.bundles !== undefined) load = programLoader(message.bundles);
    if (message.seed !== undefined && load !== undefined)
      void runChecked(message.seed, load).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit());
}

interface RunOptions {
  /** The processes start meanwhile. */
  readonly bundles: Promise<Bundles>;
  readonly workers: number;
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
  /** The time of `performance.now` after which no history begins. */
  readonly until: number;
  readonly onResult: (result: HistoryResult) => void;
}

/** Runs histories in several processes. Resolves when all have ended. */
export async function runInWorkers({
  bundles,
  workers,
  from,
  seeds,
  until,
  onResult,
}: RunOptions): Promise<void> {
  let next = from;
  const isOver = () => next >= from + seeds || performance.now() >= until;
  const runOne = (worker: ChildProcess) =>
    new Promise<HistoryResult>((resolve, reject) => {
      worker.once('message', (result: HistoryResult) => resolve(result));
      worker.once('exit', (code) => reject(new Error(`a process of the simulation ended with ${code}`)));
      worker.send({ seed: next++ });
    });
  const serve = async () => {
    const worker = fork(process.argv[1] ?? '', [], {
      execArgv: COLLECTOR,
      env: { ...process.env, [WORKER]: '1' },
    });
    worker.setMaxListeners(0);
    worker.send({ bundles: await bundles });
    while (!isOver()) {
      onResult(await runOne(worker));
      worker.removeAllListeners('exit');
    }
    worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, serve));
}
