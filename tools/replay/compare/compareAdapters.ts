import { bundleAdapter } from '../adapter/bundleAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { bundleSource } from '../bundle/bundleSource.ts';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { addAdapterTree } from './addAdapterTree.ts';

interface CompareAdaptersOptions extends Omit<VerifyCapturesOptions, 'update' | 'engine' | 'base' | 'app'> {
  readonly base: string;
  /** The path of the adapter's module, as the user wrote it. The other revision has its adapter at the same path of the same repository. */
  readonly adapter: string;
}

/**
 * Replays captures of another app with its adapter of another revision and with that of the working tree, and compares the results. Those of
 * the other revision are the expected ones.
 * @throws {UsageError} when there is no such revision, or one of the adapters cannot be used.
 */
export async function* compareAdapters(
  captures: Iterable<string> | AsyncIterable<string>,
  { base, adapter: given, ...rest }: CompareAdaptersOptions,
): AsyncGenerator<CaptureResult, void> {
  const current = await bundleAdapter(given);
  try {
    const { root, entry, out, problem, remove } = await addAdapterTree(given, base);
    try {
      const file = await bundleSource({ root, entry, out }).catch((error: unknown) => {
        throw problem(error);
      });
      await loadAdapter(file, `${given} (of ${base})`);
      yield* verifyCaptures(captures, { ...rest, app: current.file, base: file });
    } finally {
      remove();
    }
  } finally {
    current.remove();
  }
}
