import { dirname, join } from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { errorLine, pluralize } from '#shared/formatText.ts';
import { bundleAdapter } from '../adapter/loadAdapter.ts';
import { BUILT } from '../base/bundleSource.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { listenForInterruption, untilAborted } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { type WorkerLimits, runInWorkers } from '../workers/runInWorkers.ts';
import type { StoppedResult } from '../workers/workerSlot.ts';
import { type ModuleBranches, adapterBranches, loadBranches } from './loadBranches.ts';

interface Options extends WorkerLimits {
  /** The path of the adapter module of another app; Parley by default. */
  readonly adapter: string | undefined;
  readonly captures: AsyncIterable<string>;
  /** Is called with the branches of each capture, in the order of the captures: their places in the list of all. */
  readonly onCovered: (capture: string, reached: readonly number[]) => void;
}

/** It is bundled apart from the tool, so that its bundle contains only what a replay imports. */
const WORKER_FILE = join(BUILT, 'replayCoverage', 'worker.js');

export type CoverageEnd = Awaited<ReturnType<typeof collectCoverage>>;

/**
 * Replays captures in workers, and collects the branches that each one reaches. Prints the progress, warnings, and a line for each problem; a problem
 * of one capture hides no other capture.
 * @returns all branches of the replayed code; one line for each capture that cannot be used, or was not replayed to its end; the signal that ended
 * the replays before the last capture; the exit status (contract §1, §7).
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function collectCoverage(output: Output, { adapter, captures, onCovered, ...limits }: Options) {
  // A signal while an adapter is bundled counts too.
  const { signal, received, statusOr } = listenForInterruption();
  const bundle = adapter === undefined ? undefined : await bundleAdapter(adapter);
  const progress = createProgress(output, systemClock(globalThis), 'covering');
  const problems: string[] = [];
  let status: ExitStatus = EXIT.fine;
  const report = (problem: string, failed: ExitStatus) => {
    problems.push(problem);
    progress.end();
    output.err(errorLine(problem));
    if (status !== EXIT.unusable) status = failed;
  };
  let count = 0;
  const modules = bundle === undefined ? loadBranches(dirname(WORKER_FILE)) : [adapterBranches(bundle.file)];
  const data: CoverageWorkerData = { modules, app: bundle?.file };
  const pool = { ...limits, workerFile: WORKER_FILE, signal, data };
  try {
    for await (const result of untilAborted(runInWorkers<CoverageResult>(captures, pool), signal)) {
      const { capture, outcome, problem, warnings } = result;
      if (warnings.length > 0) progress.end();
      printWarnings(output, warnings);
      if (outcome === 'covered') onCovered(capture, result.reached);
      if (problem !== undefined) report(problem, outcome === 'unusable' ? EXIT.unusable : EXIT.failed);
      progress.show(pluralize(++count, 'capture'));
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    report(error.message, EXIT.unusable);
  } finally {
    bundle?.remove();
  }
  progress.end();
  const all = modules.flatMap(({ branches }) => branches);
  return { all, problems, interruptedBy: received(), status: statusOr(status) };
}

/** The coverage of one capture. Plain data: it comes from a worker. */
export interface CoverageResult extends Omit<StoppedResult, 'outcome' | 'problem'> {
  readonly outcome: 'covered' | 'unusable';
  /** The numbers of the branches that its replay reaches. */
  readonly reached: readonly number[];
  /** In one line that names the file: why it cannot be used, or the error that the replayed code threw after these branches. */
  readonly problem?: string;
}

/** The data of the worker. */
export interface CoverageWorkerData {
  /** The modules beside this one, or the bundle of the adapter. */
  readonly modules: readonly ModuleBranches[];
  /** The file of the bundle of another app's adapter. */
  readonly app: string | undefined;
}
