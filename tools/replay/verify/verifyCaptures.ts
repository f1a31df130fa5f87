import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CaptureResult } from './resultRecord.ts';
import { type CaptureVerifierOptions, captureVerifier } from './verifyCapture.ts';
import { runInWorkers } from '../workers/runInWorkers.ts';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { bundleAdapter, refuseThen } from '../adapter/loadAdapter.ts';
import type { OwnApp } from '../engine/sessionAdapter.ts';

/** The limits of workers that the user may set. */
export interface WorkerLimits {
  /** Number of workers, which are processes; the number of cores by default. */
  readonly workers?: number | undefined;
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb?: number | undefined;
}

/** Options of {@link verifyCaptures}. */
export interface VerifyCapturesOptions extends CaptureVerifierOptions, WorkerLimits {
  /** The app that is verified without an adapter. */
  readonly own: OwnApp;
  /** The path of the adapter module of another app, as the user wrote it. */
  readonly adapter?: string | undefined;
  /** The captures that `--then` names. */
  readonly following?: readonly string[] | undefined;
  /** The bundle that a worker runs; the one beside this code by default. */
  readonly workerFile?: string;
  /** Ends the verification: captures without a result get none. */
  readonly signal?: AbortSignal;
  /** Yields results as they are ready instead of in the order of the captures. */
  readonly isUnordered?: boolean;
}

/** The limits of one capture, unless others are given. */
export const DEFAULT_LIMITS = { timeoutMs: 60_000, memoryMb: 2048 } as const;

/** Replaces missing limits by the defaults. */
export const withDefaults = ({ workers, timeoutMs, memoryMb }: WorkerLimits) => ({
  workers: workers ?? availableParallelism(),
  timeoutMs: timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
  memoryMb: memoryMb ?? DEFAULT_LIMITS.memoryMb,
});

/** The file beside the bundle of this code. */
const WORKER_FILE = join(import.meta.dirname, 'verifyWorker.js');

/**
 * Verifies captures in workers, and yields their results. Memory does not grow with the number of captures.
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function* verifyCaptures(
  captures: Iterable<string> | AsyncIterable<string>,
  { adapter, following, ...options }: VerifyCapturesOptions,
): AsyncGenerator<CaptureResult, void> {
  const bundle = adapter === undefined ? undefined : await bundleAdapter(adapter);
  try {
    if (bundle !== undefined) refuseThen(replayedApp(bundle.adapter), following);
    yield* verifyBundles(captures, { ...options, ...(bundle && { app: bundle.file }) });
  } finally {
    bundle?.remove();
  }
}

async function* verifyBundles(
  captures: Iterable<string> | AsyncIterable<string>,
  options: Omit<VerifyCapturesOptions, 'adapter' | 'following'>,
): AsyncGenerator<CaptureResult, void> {
  const {
    workers,
    timeoutMs,
    memoryMb,
    workerFile = WORKER_FILE,
    isUnordered = false,
    own,
    ...rest
  } = options;
  const { signal = new AbortController().signal, ...data } = rest;
  if (existsSync(workerFile)) {
    const limits = withDefaults({ workers, timeoutMs, memoryMb });
    yield* runInWorkers<CaptureResult>(asyncOf(captures), {
      ...limits,
      workerFile,
      signal,
      data,
      isUnordered,
    });
    return;
  }
  // This code runs from its source, so there is no bundle for a worker: it verifies in this thread, without limits.
  const verify = await captureVerifier(data, own);
  for await (const capture of captures) {
    if (signal.aborted) return;
    yield verify(capture);
  }
}

async function* asyncOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
