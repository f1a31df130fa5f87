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
  const end = await recordGolden(capture, replayed).catch((error: unknown) => problemOf(capture, error));
  const ms = performance.now() - start;
  const reached = [...new Set([...atStart, ...reachedBranches(takeCoverage(), modules)])];
  if (!('golden' in end)) return { capture, ms, warnings: [], reached, ...end };
  return { capture, ms, warnings: end.warnings, reached, outcome: 'covered' };
}

function problemOf(capture: string, error: unknown): Required<Pick<CoverageResult, 'outcome' | 'problem'>> {
  if (error instanceof FoldError)
    return { outcome: 'covered', problem: `${capture}: the replayed code threw ${thrownText(error.cause)}` };
  const [line = ''] = String(error).split('\n');
  return {
    outcome: 'unusable',
    problem: error instanceof CaptureError ? error.message : `${capture}: ${line}`,
  };
}

let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  last = last.then(async () => send(await coverageOf(capture)));
});
