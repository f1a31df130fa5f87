import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCode } from '#shared/errorCode.ts';
import { UsageError } from '../base/errors.ts';
import { bundleProblem, bundleSource } from '../base/bundleSource.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { loadAdapter } from './loadAdapter.ts';
import { refuseEndlessLoading } from './refuseEndlessLoading.ts';

/** An adapter and its bundle, in a temporary folder. */
export interface BundledAdapter {
  readonly adapter: AppAdapter;
  /** The file of the bundle, which a worker loads too. */
  readonly file: string;
  /** Removes the folder. It is also removed when the process exits. */
  readonly remove: () => void;
}

/**
 * Bundles the module of an adapter with its imports, and loads it.
 * @param given the module's path, relative to the working folder: TypeScript or JavaScript.
 * @throws {UsageError} in one line, when it cannot be bundled or loaded, or is not an adapter.
 */
export async function bundleAdapter(given: string): Promise<BundledAdapter> {
  const out = mkdtempSync(join(tmpdir(), 'parley-adapter-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(out, { recursive: true, force: true });
  };
  process.on('exit', remove);
  try {
    const file = await bundled(given, out);
    await refuseEndlessLoading(file, given);
    return { adapter: await loadAdapter(file, given), file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Returns the adapter of a module, for a command that replays in its own thread.
 * @throws {UsageError} as `bundleAdapter` does.
 */
export async function adapterOf(given: string): Promise<AppAdapter> {
  const { adapter, remove } = await bundleAdapter(given);
  remove();
  return adapter;
}

async function bundled(given: string, out: string): Promise<string> {
  try {
    return await bundleSource({ root: process.cwd(), entry: resolve(given), out });
  } catch (error) {
    const isMissing = errorCode(error) === 'ERR_MODULE_NOT_FOUND';
    const problem = isMissing
      ? 'needs the package rolldown, which is not installed; run `npm ci`'
      : `cannot be bundled: ${bundleProblem(error)}`;
    throw new UsageError(`--app ${given}: ${problem}`, { cause: error });
  }
}
