import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../base/errors.ts';

/** The longest time of loading an adapter, milliseconds. It is long, because other programs may use the machine. */
const LOADING_MS = 30_000;

/** Ends when the module is loaded. What is wrong with it is found, and reported, where it is used. */
const LOAD = `const { workerData } = require('node:worker_threads');
  import(workerData).catch(() => undefined).finally(() => process.exit());`;

/**
 * Loads a bundle of an adapter in a thread, which ends also while its code loops: in this thread, such a module would block every signal.
 * @param given the path of the module as the user wrote it, for the error.
 * @throws {UsageError} when loading takes longer than the limit.
 */
export async function refuseEndlessLoading(
  file: string,
  given: string,
  limitMs: number = LOADING_MS,
): Promise<void> {
  // What the module prints is printed when it is used.
  const output = { stdout: true, stderr: true };
  const thread = new Worker(LOAD, { eval: true, workerData: pathToFileURL(file).href, ...output });
  const stop = new AbortController();
  const ended = once(thread, 'exit').then(
    () => 'ended',
    () => 'ended',
  );
  const limit = setTimeout(limitMs, 'late', { signal: stop.signal }).catch(() => 'ended');
  const first = await Promise.race([ended, limit]);
  stop.abort();
  await thread.terminate();
  if (first === 'late') throw new UsageError(`--app ${given}: is not loaded after ${limitMs / 1000} s`);
}
