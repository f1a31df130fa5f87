import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundleAdapter } from '../adapter/loadAdapter.ts';
import { BUILT, CHECKOUT } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { SourceLine } from './ranLines.ts';

/** A step, and the nearest earlier step of the same kind that left the value alone. */
export interface StepPair {
  readonly step: number;
  readonly unlike?: number | undefined;
}

/** The lines of an app's source that ran in a step: those that did not run in the other step, or all when there is no other one. */
export interface StepLines {
  readonly of: 'difference' | 'all';
  readonly lines: readonly SourceLine[];
}

/** A capture: a file, or the text of one. */
export type CaptureSource = { readonly path: string } | { readonly name: string; readonly text: string };

/** What the worker needs. */
export interface SourceLinesData {
  /** The file of a bundle that exports an adapter, with its source map inside. */
  readonly bundle: string;
  /** The folder to which the files of the sources are relative. */
  readonly root: string;
  readonly capture: CaptureSource;
  readonly pairs: readonly StepPair[];
}

/** What the worker sends. */
export type SourceLinesResult = { readonly steps: readonly StepLines[] } | { readonly problem: string };

interface Options extends Pick<SourceLinesData, 'capture' | 'pairs'> {
  /** The path of an adapter's module; Parley by default. */
  readonly app: string | undefined;
}

/**
 * Returns the lines of source that ran in steps: replays a capture again, in a thread whose code V8 counts.
 * @throws {UsageError} when the capture or the adapter cannot be used, or the app's code throws while it is loaded.
 */
export async function sourceLines({ app, ...options }: Options): Promise<readonly StepLines[]> {
  if (options.pairs.length === 0) return [];
  if (app === undefined)
    return runWorker({ bundle: join(BUILT, 'inspector', 'replayedApp.mjs'), root: CHECKOUT, ...options });
  const { file, remove } = await bundleAdapter(app);
  try {
    return await runWorker({ bundle: file, root: process.cwd(), ...options });
  } finally {
    remove();
  }
}

async function runWorker(workerData: SourceLinesData): Promise<readonly StepLines[]> {
  const worker = new Worker(join(BUILT, 'inspector', 'sourceLines.mjs'), { workerData });
  const [result]: SourceLinesResult[] = await once(worker, 'message');
  await worker.terminate();
  if (result === undefined) return [];
  if ('problem' in result) throw new UsageError(result.problem);
  return result.steps;
}
