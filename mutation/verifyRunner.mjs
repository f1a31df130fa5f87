import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';

const CORPUS = 'tests/captures';
/** The compressed ones are long: they are verified only if no other capture finds a mutation. */
const captures = readdirSync(CORPUS)
  .filter((name) => /\.parley\.jsonl(\.gz)?$/.test(name))
  .toSorted((a, b) => Number(a.endsWith('.gz')) - Number(b.endsWith('.gz')));

/** Takes seconds in instrumented code, and is about one function, which no mutation of loaded code changes. */
const SLOWEST = 'too-many-values.parley.jsonl.gz';

/**
 * Runs `verify` on the corpus for Stryker: each capture is a test, which fails when its result is not `same`. A worker verifies
 * capture after capture, with one mutation after the other; a mutation of code that runs once, when it is loaded, has a worker of its own.
 */
class VerifyRunner {
  #worker;

  /** Workers are started again where that is necessary. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // The main process has ended, after a signal for example.
    process.once('disconnect', () => process.exit(1));
    this.#worker = startWorker();
  }

  async dispose() {
    await this.#worker?.terminate();
  }

  /** Verifies every capture without a mutation, and finds out which captures run which mutations. */
  async dryRun() {
    const { outcomes, mutantCoverage } = await ask(this.#worker, { captures, isDryRun: true });
    return { status: 'complete', tests: outcomes.map(testResult), mutantCoverage };
  }

  /** Verifies the captures that run a mutation, with it, until one differs. */
  async mutantRun({ activeMutant, testFilter, mutantActivation, hitLimit }) {
    const request = {
      captures: testFilter ?? captures.filter((name) => name !== SLOWEST),
      mutant: activeMutant.id,
      hitLimit,
    };
    if (mutantActivation !== 'static') {
      const answer = await ask(this.#worker, request);
      if (answer.error !== undefined) this.#worker = startWorker();
      return mutantResult(answer);
    }
    const worker = startWorker(activeMutant.id);
    try {
      return mutantResult(await ask(worker, request));
    } finally {
      await worker.terminate();
    }
  }
}

const testResult = ({ capture, outcome, ms }) => {
  const test = { id: capture, name: capture, timeSpentMs: ms };
  return outcome === 'same'
    ? { ...test, status: 0 }
    : { ...test, status: 1, failureMessage: `${capture}: ${outcome}` };
};

function mutantResult({ outcomes, error }) {
  const nrOfTests = outcomes.length;
  if (error !== undefined) return { status: 'killed', killedBy: [], failureMessage: error, nrOfTests };
  const failed = outcomes.find(({ outcome }) => outcome !== 'same');
  if (failed === undefined) return { status: 'survived', nrOfTests };
  return { status: 'killed', killedBy: [failed.capture], failureMessage: failed.outcome, nrOfTests };
}

/** Starts a worker; with a mutant, it is active while the code is loaded. */
const startWorker = (mutant) =>
  new Worker(join(import.meta.dirname, 'verifyWorker.mjs'), {
    workerData: { bundle: join(process.cwd(), 'out/mutation/captureVerifier.js'), corpus: CORPUS, mutant },
  });

/** Sends a request; resolves with the answer, or with the error of a worker that could not load the code. */
const ask = (worker, request) =>
  new Promise((resolve) => {
    const done = (answer) => {
      worker.removeAllListeners('message');
      worker.removeAllListeners('error');
      resolve(answer);
    };
    worker.once('message', done);
    worker.once('error', (error) => done({ outcomes: [], error: String(error) }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(request);
  });

/** The plugin, as Stryker loads it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'verify', VerifyRunner)];
