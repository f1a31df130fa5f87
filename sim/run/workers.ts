import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { HistoryResult } from './runHistory.ts';

const WORKER = join(import.meta.dirname, 'worker.js');

/** More room for young objects, and no threads that collect: the other cores run histories. */
const COLLECTOR = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--single-threaded-gc'];

/** Seeds that a process has at a time, so that it does not wait for the next one. */
const GIVEN = 2;

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
  const serve = () =>
    new Promise<void>((resolve, reject) => {
      const worker = fork(WORKER, [], { execArgv: COLLECTOR });
      let given = 0;
      const give = () => {
        for (; given < GIVEN && !isOver(); given += 1) worker.send({ seed: next++ });
        if (given === 0) worker.disconnect();
      };
      worker.on('message', (result: HistoryResult) => {
        given -= 1;
        onResult(result);
        give();
      });
      worker.on('exit', (code) => {
        if (given === 0) resolve();
        else reject(new Error(`a process of the simulation ended with ${code}`));
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.max(1, workers) }, serve));
}
