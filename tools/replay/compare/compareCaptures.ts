import { checkoutOf } from '../base/checkoutOf.ts';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { bundleCode } from './bundleCode.ts';
import { resolveCommit } from './git.ts';
import { loadCode } from '../verify/loadCode.ts';
import { addWorktree } from './addWorktree.ts';

interface CompareOptions extends Omit<VerifyCapturesOptions, 'update' | 'engine' | 'base' | 'app'> {
  readonly base: string;
  /** The repository of the revision; this checkout by default. */
  readonly repository?: string;
}

/**
 * Replays captures with the code of another revision and with that of this checkout, and compares the results. Those of
 * the other revision are the expected ones.
 * @throws {UsageError} when there is no such revision, or it lacks what a replay needs.
 */
export async function* compareCaptures(
  captures: Iterable<string> | AsyncIterable<string>,
  { base, repository, ...rest }: CompareOptions,
): AsyncGenerator<CaptureResult, void> {
  const checkout = checkoutOf(import.meta.dirname);
  const where = repository ?? checkout;
  const commit = await resolveCommit(where, base);
  const { remove, ...folders } = await addWorktree({ repository: where, commit });
  try {
    const code = await bundleCode({ ...folders, checkout, revision: base });
    await loadCode(code, base);
    yield* verifyCaptures(captures, { ...rest, base: code });
  } finally {
    remove();
  }
}
