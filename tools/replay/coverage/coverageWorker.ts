import { performance } from 'node:perf_hooks';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { connectToPool } from '../workers/workerProcess.ts';
import type { CoverageResult, CoverageWorkerData } from './collectCoverage.ts';
import { reachedBranches, startPreciseCoverage } from './reachedBranches.ts';

/** The program of a worker: replays each capture that it receives, one after the other, and sends the branches that it reached. */

const { data, receive, send } = await connectToPool<CoverageWorkerData, CoverageResult>();
const { modules, app } = data;
const takeCoverage = startPreciseCoverage();
// Loaded now, so that it is covered.
const { FoldError, recordGolden, replayProblem } = await import('../golden/traceCapture.ts');
const replayed =
  app === undefined
    ? (await import('../parley/parleyApp.ts')).parleyApp
    : replayedApp(await loadAdapter(app));
/** Those that the modules reach when they are loaded. */
const atStart = reachedBranches(takeCoverage(), modules);

/** Replays a capture, and derives what windows show, as `verify` does. */
async function coverageOf(capture: string): Promise<CoverageResult> {
  const start = performance.now();
  takeCoverage();
  const end = await recordGolden(capture, replayed).catch((error: unknown) => ({
    warnings: [],
    problem: replayProblem(capture, error),
    isCovered: error instanceof FoldError,
  }));
  const ms = performance.now() - start;
  const reached = [...new Set([...atStart, ...reachedBranches(takeCoverage(), modules)])];
  const result = { capture, ms, warnings: end.warnings, reached };
  if ('golden' in end) return { ...result, outcome: 'covered' };
  return { ...result, outcome: end.isCovered ? 'covered' : 'unusable', problem: end.problem };
}

let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  last = last.then(async () => send(await coverageOf(capture)));
});
