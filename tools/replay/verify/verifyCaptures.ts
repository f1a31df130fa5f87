import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type MarkedResult, markedVerifier } from './markedVerifier.ts';
import { type CaptureVerifierOptions, captureVerifier } from './verifyCapture.ts';
import { type Captures, type PoolOptions, runInWorkers } from '../workers/runInWorkers.ts';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { bundleAdapter, refuseThen } from '../adapter/loadAdapter.ts';
import type { OwnApp } from '../engine/sessionAdapter.ts';

/** Options of {@link verifyCaptures}. The worker is the bundle beside this code by default. */
export interface VerifyCapturesOptions extends CaptureVerifierOptions, Partial<Omit<PoolOptions, 'data'>> {
  /** The app that is verified without an adapter. */
  readonly own: OwnApp;
  /** The path of the adapter module of another app, as the user wrote it. */
  readonly adapter?: string | undefined;
  /** The captures that `--then` names. */
  readonly following?: readonly string[] | undefined;
}

/** The file beside the bundle of this code. */
const WORKER_FILE = join(import.meta.dirname, 'verifyWorker.js');

/**
 * Verifies captures in workers, and yields their results. Memory does not grow with the number of captures.
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function* verifyCaptures(
  captures: Captures,
  { adapter, following, own, ...options }: VerifyCapturesOptions,
): AsyncGenerator<MarkedResult, void> {
  const bundle = adapter === undefined ? undefined : await bundleAdapter(adapter);
  const { update, base, isAlone, app = bundle?.file, inOrder, marked, ...rest } = options;
  const data: CaptureVerifierOptions = { update, base, isAlone, app, inOrder, marked };
  const pool = { workerFile: WORKER_FILE, signal: new AbortController().signal, ...rest };
  try {
    if (bundle !== undefined) refuseThen(replayedApp(bundle.adapter), following);
    if (existsSync(pool.workerFile)) {
      yield* runInWorkers<MarkedResult>(captures, { ...pool, data });
      return;
    }
    // This code runs from its source, so there is no bundle for a worker: it verifies in this thread, without limits.
    const verify = marked ? markedVerifier(marked) : await captureVerifier(data, () => Promise.resolve(own));
    for await (const capture of captures) {
      if (pool.signal.aborted) return;
      yield verify(capture);
    }
  } finally {
    bundle?.remove();
  }
}
