import { performance } from 'node:perf_hooks';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownText } from '../workers/thrownError.ts';
import { connectToPool } from '../workers/workerProcess.ts';
import type { CoverageResult, CoverageWorkerData } from './collectCoverage.ts';
import { reachedBranches, startPreciseCoverage } from './reachedBranches.ts';

/** The program of a worker: replays each capture that it receives, one after the other, and sends the branches that it reached. */

const { data, receive, send } = await connectToPool<CoverageWorkerData, CoverageResult>();
const { modules, app } = data;
const takeCoverage = startPreciseCoverage();
// Loaded now, so that it is covered.
const { FoldError, recordGolden } = await import('../golden/traceCapture.ts');
const { parleyApp } = await import('../parley/parleyApp.ts');
const replayed = app === undefined ? parleyApp : replayedApp(await loadAdapter(app));
/** Those that the modules reach when they are loaded. */
const atStart = reachedBranches(takeCoverage(), modules);

/** Replays a capture, and derives what windows show, as `verify` does. */
async function coverageOf(capture: string): Promise<CoverageResult> {
  const start = performance.now();
  takeCoverage();
  let warnings: readonly string[] = [];
  let thrown: { readonly problem?: string } = {};
  try {
    ({ warnings } = await recordGolden(capture, replayed));
  } catch (error) {
    if (!(error instanceof FoldError)) {
      const [line = ''] = String(error).split('\n');
      const problem = error instanceof CaptureError ? error.message : `${capture}: ${line}`;
      return { capture, ms: performance.now() - start, warnings, outcome: 'unusable', problem };
    }
    thrown = { problem: `${capture}: the replayed code threw ${thrownText(error.cause)}` };
  }
  const ms = performance.now() - start;
  const reached = [...new Set([...atStart, ...reachedBranches(takeCoverage(), modules)])];
  return { capture, ms, warnings, outcome: 'covered', reached, ...thrown };
}

let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  last = last.then(async () => send(await coverageOf(capture)));
});
