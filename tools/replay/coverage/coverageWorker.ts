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
const { coverCapture } = await import('./coverCapture.ts');
const { parleyApp } = await import('../parley/parleyApp.ts');
const replayed = app === undefined ? parleyApp : replayedApp(await loadAdapter(app));
/** Those that the modules reach when they are loaded. */
const atStart = reachedBranches(takeCoverage(), modules);

async function coverageOf(capture: string): Promise<CoverageResult> {
  const start = performance.now();
  takeCoverage();
  const { warnings, thrown, unusable } = await coverCapture(capture, replayed);
  const finished = { capture, ms: performance.now() - start, warnings };
  if (unusable !== undefined) return { ...finished, outcome: 'unusable', problem: unusable };
  const reached = [...new Set([...atStart, ...reachedBranches(takeCoverage(), modules)])];
  return { ...finished, outcome: 'covered', reached, ...(thrown !== undefined && { problem: thrown }) };
}

let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  last = last.then(async () => send(await coverageOf(capture)));
});
