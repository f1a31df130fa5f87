import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CaptureResult } from './resultRecord.ts';
import { type CaptureVerifierOptions, captureVerifier } from './verifyCapture.ts';
import { inOrder, runInWorkers } from '../workers/runInWorkers.ts';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { bundleAdapter, refuseThen } from '../adapter/loadAdapter.ts';
import type { OwnApp } from '../engine/sessionAdapter.ts';

/** Options of {@link verifyCaptures}. */
export interface VerifyCapturesOptions extends CaptureVerifierOptions {
  /** The app that is verified without `app`. */
  readonly own: OwnApp;
  /** Number of workers, which are processes; the number of cores by default. */
  readonly workers?: number | undefined;
  /** The bundle that a worker runs; the one beside this code by default. */
  readonly workerFile?: string;
  /** The longest time of one capture, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The largest heap of a worker, MiB. */
  readonly memoryMb?: number | undefined;
  /** Ends the verification: captures without a result get none. */
  readonly signal?: AbortSignal;
  /** Yields results as they are ready instead of in the order of the captures. */
  readonly isUnordered?: boolean;
}

/** The limits of one capture, unless others are given. */
export const DEFAULT_LIMITS = { timeoutMs: 60_000, memoryMb: 2048 } as const;

/** The file beside the bundle of this code. */
const WORKER_FILE = join(import.meta.dirname, 'verifyWorker.js');

/** Verifies captures in workers, and yields their results. Memory does not grow with the number of captures. */
export async function* verifyCaptures(
  captures: Iterable<string> | AsyncIterable<string>,
  {
    workers = availableParallelism(),
    workerFile = WORKER_FILE,
    timeoutMs = DEFAULT_LIMITS.timeoutMs,
    memoryMb = DEFAULT_LIMITS.memoryMb,
    signal = new AbortController().signal,
    isUnordered = false,
    own,
    ...data
  }: VerifyCapturesOptions,
): AsyncGenerator<CaptureResult, void> {
  const source = asyncOf(captures);
  if (!existsSync(workerFile)) yield* verifyHere(source, { data, own, signal });
  else {
    const options = { workers, workerFile, timeoutMs, memoryMb, signal, data };
    const results = runInWorkers<CaptureResult>(source, options);
    yield* isUnordered ? values(results) : inOrder(results);
  }
}

interface HereOptions {
  readonly data: CaptureVerifierOptions;
  readonly own: OwnApp;
  readonly signal: AbortSignal;
}

/** Verifies captures in this thread, without limits: this code runs from its source, so there is no bundle for a worker. */
async function* verifyHere(
  captures: AsyncIterable<string>,
  { data, own, signal }: HereOptions,
): AsyncGenerator<CaptureResult, void> {
  const verify = await captureVerifier(data, own);
  for await (const capture of captures) {
    if (signal.aborted) return;
    yield verify(capture);
  }
}

async function* asyncOf<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

async function* values<T>(items: AsyncIterable<{ readonly value: T }>): AsyncGenerator<T, void> {
  for await (const { value } of items) yield value;
}

interface VerifyAdapterOptions extends Omit<VerifyCapturesOptions, 'app' | 'base' | 'engine'> {
  /** The path of the adapter's module, as the user wrote it. */
  readonly adapter: string;
  /** The captures that `--then` names. */
  readonly following?: readonly string[] | undefined;
}

/**
 * Verifies captures of another app with its adapter.
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function* verifyAdapter(
  captures: AsyncIterable<string>,
  { adapter, following, ...options }: VerifyAdapterOptions,
): AsyncGenerator<CaptureResult, void> {
  const { adapter: loaded, file, remove } = await bundleAdapter(adapter);
  try {
    refuseThen(replayedApp(loaded), following);
    yield* verifyCaptures(captures, { ...options, app: file });
  } finally {
    remove();
  }
}
