import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { checkoutOf } from '../base/checkoutOf.ts';
import { inOrder } from '../workers/inOrder.ts';
import { runInWorkers } from '../workers/runInWorkers.ts';
import { DEFAULT_LIMITS } from '../verify/verifyCaptures.ts';
import type { CoverageResult } from './coverageResult.ts';
import type { CoverageWorkerData } from './coverageWorker.ts';
import { type ModuleBranches, loadBranches } from './loadBranches.ts';

/** Options of {@link coverCaptures}. */
export interface CoverOptions {
  /** The modules of the replayed code. */
  readonly modules: readonly ModuleBranches[];
  /** The file of the bundle of another app's adapter. */
  readonly app?: string | undefined;
  /** Number of workers; the number of cores by default. */
  readonly workers?: number | undefined;
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb?: number | undefined;
  /** Ends the replays: captures without a result get none. */
  readonly signal: AbortSignal;
}

/** It is bundled apart from the tool, so that its bundle contains only what a replay imports. */
const WORKER_FILE = join(checkoutOf(import.meta.dirname), 'out/replayCoverage/worker.js');

/** Finds the branches of the replayed code. A branch's number is its place in the list of all modules. */
export const replayedModules = (): ModuleBranches[] => loadBranches(dirname(WORKER_FILE));

/** Replays captures in workers and yields the branches that each one reaches, in the order of the captures. */
export async function* coverCaptures(
  captures: AsyncIterable<string>,
  {
    modules,
    app,
    workers = availableParallelism(),
    timeoutMs = DEFAULT_LIMITS.timeoutMs,
    memoryMb = DEFAULT_LIMITS.memoryMb,
    signal,
  }: CoverOptions,
): AsyncGenerator<CoverageResult, void> {
  const data: CoverageWorkerData = { modules, app };
  const options = { workers, workerFile: WORKER_FILE, timeoutMs, memoryMb, signal, data };
  yield* inOrder(runInWorkers<CoverageResult>(captures, options));
}
