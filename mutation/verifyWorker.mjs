import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

/** Verifies captures with the instrumented code. The instrumented code reads the active mutant from `globalThis.__stryker__`. */
const stryker = (globalThis.__stryker__ = { activeMutant: workerData.mutant });

const { captureVerifier } = await import(workerData.bundle);
const verify = await captureVerifier({});

async function outcomesOf({ captures, isDryRun }) {
  const outcomes = [];
  for (const capture of captures) {
    if (isDryRun) stryker.currentTestId = capture;
    const start = performance.now();
    const { outcome } = await verify(join(workerData.corpus, capture));
    outcomes.push({ capture, outcome, ms: performance.now() - start });
    if (outcome !== 'same' && !isDryRun) break;
  }
  return outcomes;
}

async function answer(request) {
  const { mutant, hitLimit, isDryRun } = request;
  if (!isDryRun) Object.assign(stryker, { activeMutant: mutant, hitCount: 0, hitLimit });
  const outcomes = await outcomesOf(request);
  Object.assign(stryker, { activeMutant: undefined, currentTestId: undefined });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort.postMessage({ outcomes, mutantCoverage: isDryRun ? stryker.mutantCoverage : undefined });
}

parentPort.on('message', (request) => void answer(request));
