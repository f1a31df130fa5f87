import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import type { CaptureResult } from './captureResult.ts';
import { inBatches } from './inBatches.ts';
import { type VerifyTask, verifyTask } from './verifyTask.ts';

export interface VerifyCapturesOptions extends Omit<VerifyTask, 'captures'> {
  /** Number of worker threads; the number of cores by default. */
  readonly workers?: number | undefined;
  /** The bundle that a worker runs; the one beside this code by default. */
  readonly workerFile?: string;
  /** Is called with results as they arrive, in any order. */
  readonly onResults?: (results: readonly CaptureResult[]) => void;
}

type Run = (task: VerifyTask) => Promise<CaptureResult[]>;

/** The file beside the bundle of this code. */
const WORKER_FILE = join(import.meta.dirname, 'verifyTask.js');

/** Verifies captures in worker threads, or in this thread when they are few and small or `workers` is 1. Results are in order. */
export async function verifyCaptures(
  captures: readonly string[],
  {
    workers = availableParallelism(),
    workerFile = WORKER_FILE,
    onResults,
    ...rest
  }: VerifyCapturesOptions = {},
): Promise<CaptureResult[]> {
  const batches = await inBatches(captures);
  const threads = Math.min(workers, batches.length);
  const reporting = (run: Run) => async (batch: readonly string[]) => {
    const results = await run({ ...rest, captures: batch });
    onResults?.(results);
    return results;
  };
  if (threads > 1) return inThreads({ threads, workerFile }, (run) => all(batches, reporting(run)));
  const results: CaptureResult[] = [];
  for (const batch of batches) results.push(...(await reporting(verifyTask)(batch)));
  return results;
}

const all = async (batches: readonly string[][], run: (batch: string[]) => Promise<CaptureResult[]>) =>
  (await Promise.all(batches.map(run))).flat();

interface Threads {
  readonly threads: number;
  readonly workerFile: string;
}

async function inThreads<T>({ threads, workerFile }: Threads, use: (run: Run) => Promise<T>): Promise<T> {
  const pool = new Tinypool({
    filename: workerFile,
    name: 'verifyTask',
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
  });
  try {
    return await use((task) => runApart(pool, task));
  } finally {
    await pool.destroy();
  }
}

/** Repeats a task capture by capture when its worker dies: so the faulty capture is named, and hides no other. */
async function runApart(pool: Tinypool, task: VerifyTask): Promise<CaptureResult[]> {
  try {
    // tinypool's `run` returns `any`: it is the result of `verifyTask`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await pool.run(task)) as CaptureResult[];
  } catch (error) {
    if (task.captures.length > 1) {
      const apart = await Promise.all(
        task.captures.map((capture) => runApart(pool, { ...task, captures: [capture] })),
      );
      return apart.flat();
    }
    const problem = `${task.captures[0]}: the worker stopped: ${error instanceof Error ? error.message : String(error)}`;
    return [{ capture: task.captures[0] ?? '', ms: 0, warnings: [], outcome: 'unusable', problem }];
  }
}
