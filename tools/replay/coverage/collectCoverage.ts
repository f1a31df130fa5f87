import { errorLine, pluralize } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { type Interruption, untilAborted } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { checkoutOf } from '../base/bundleSource.ts';
import { inOrder, runInWorkers } from '../workers/runInWorkers.ts';
import { DEFAULT_LIMITS } from '../verify/verifyCaptures.ts';
import { type ModuleBranches, adapterBranches, loadBranches } from './loadBranches.ts';
import type { UnusableResult } from '../verify/resultRecord.ts';
import type { Finished, StoppedResult } from '../workers/workerSlot.ts';
import { bundleAdapter } from '../adapter/loadAdapter.ts';

/** How the replays of captures ended. */
export interface CoverageEnd {
  /** One line for each capture that cannot be used, or was not replayed to its end. */
  readonly problems: readonly string[];
  /** The signal that ended the replays before the last capture. */
  readonly interruptedBy: ReturnType<Interruption['received']>;
  /** The exit status (contract §1, §7). */
  readonly status: ExitStatus;
}

interface Options extends Omit<CoverOptions, 'signal'> {
  readonly interruption: Interruption;
  readonly captures: AsyncIterable<string>;
  /** Is called with the branches of each capture, in the order of the captures. */
  readonly onCovered: (result: CoveredResult) => void;
}

/**
 * Replays captures and collects the branches that each one reaches. Prints the progress, warnings, and a line for each problem; a problem of
 * one capture hides no other capture.
 */
export async function collectCoverage(
  output: Output,
  { interruption, captures, onCovered, ...options }: Options,
): Promise<CoverageEnd> {
  const { signal, received, statusOr } = interruption;
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
  try {
    for await (const result of untilAborted(coverCaptures(captures, { ...options, signal }), signal)) {
      if (result.warnings.length > 0) progress.end();
      printWarnings(output, result.warnings);
      if (result.outcome === 'covered') onCovered(result);
      const isUnusable = result.outcome === 'unusable';
      if (result.problem !== undefined) report(result.problem, isUnusable ? EXIT.unusable : EXIT.failed);
      progress.show(pluralize(++count, 'capture'));
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    report(error.message, EXIT.unusable);
  }
  progress.end();
  return { problems, interruptedBy: received(), status: statusOr(status) };
}

/** Options of {@link coverCaptures}. */
interface CoverOptions {
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
const replayedModules = (): ModuleBranches[] => loadBranches(dirname(WORKER_FILE));

/** Replays captures in workers and yields the branches that each one reaches, in the order of the captures. */
async function* coverCaptures(
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

/** The branches that the replay of a capture reaches. */
interface CoveredResult extends Finished {
  readonly outcome: 'covered';
  /** The numbers of the branches. */
  readonly reached: readonly number[];
  /** The error that the replayed code threw, in one line that names the file: the branches before it count. */
  readonly problem?: string;
}

/** The coverage of one capture. Plain data: it comes from a worker. */
export type CoverageResult = CoveredResult | StoppedResult | UnusableResult;

/** The code whose branches are counted. */
interface CoveredCode extends Pick<CoverOptions, 'modules' | 'app'> {
  /** Removes temporary files. */
  readonly remove: () => void;
}

/**
 * Returns the replayed code: Parley's, or that of another app.
 * @param adapter the path of the other app's adapter module.
 * @throws {UsageError} when it is not an adapter.
 */
export async function coveredCode(adapter: string | undefined): Promise<CoveredCode> {
  if (adapter === undefined) return { modules: replayedModules(), app: undefined, remove: () => undefined };
  const { file, remove } = await bundleAdapter(adapter);
  return { modules: [adapterBranches(file)], app: file, remove };
}

/** The data of the worker. */
export interface CoverageWorkerData {
  /** The modules beside this one, or the bundle of the adapter. */
  readonly modules: readonly ModuleBranches[];
  /** The file of the bundle of another app's adapter. */
  readonly app?: string | undefined;
}
