import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { HistoryResult } from './runHistory.ts';

const WORKER = join(import.meta.dirname, 'worker.js');

/** More room for young objects, and no threads that collect: the other cores run histories. */
const COLLECTOR = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--single-threaded-gc'];

interface RunOptions {
  readonly workers: number;
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
  /** The time of `performance.now` after which no history begins. */
  readonly until: number;
  readonly onResult: (result: HistoryResult) => void;
}

/** Runs histories in several processes. Resolves when all have ended. */
export async function runInWorkers({ workers, from, seeds, until, onResult }: RunOptions): Promise<void> {
  let next = from;
  const isOver = () => next >= from + seeds || performance.now() >= until;
  const runOne = (worker: ChildProcess) =>
    new Promise<HistoryResult>((resolve, reject) => {
      worker.once('message', (result: HistoryResult) => resolve(result));
      worker.once('exit', (code) => reject(new Error(`a process of the simulation ended with ${code}`)));
      worker.send({ seed: next++ });
    });
  const serve = async () => {
    const worker = fork(WORKER, [], { execArgv: COLLECTOR });
    worker.setMaxListeners(0);
    while (!isOver()) {
      onResult(await runOne(worker));
      worker.removeAllListeners('exit');
    }
    worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, serve));
}
