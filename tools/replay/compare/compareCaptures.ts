import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { bundleCode } from './bundleCode.ts';
import { commitOf } from './git.ts';
import { loadCode } from '../verify/loadCode.ts';
import { withWorktree } from './withWorktree.ts';

interface CompareOptions extends Pick<VerifyCapturesOptions, 'workers' | 'workerFile' | 'onResults'> {
  readonly base: string;
  /** Where the revision is looked up; this checkout by default. */
  readonly repository?: string;
}

/**
 * Replays captures through the code of another revision and through this one's, and says how they differ. What that
 * revision comes to is what is expected.
 * @throws {UsageError} when there is no such revision, or it lacks what a replay needs.
 */
export async function compareCaptures(
  captures: readonly string[],
  { base, repository, ...rest }: CompareOptions,
): Promise<CaptureResult[]> {
  const checkout = checkoutOf(import.meta.dirname);
  const where = repository ?? checkout;
  const commit = await commitOf(where, base);
  return withWorktree({ repository: where, commit }, async (folders) => {
    const code = await bundleCode({ ...folders, checkout, revision: base });
    await loadCode(code, base);
    return verifyCaptures(captures, { ...rest, base: code });
  });
}

/** The folder with package.json that this code is in, as source or bundled. */
function checkoutOf(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return checkoutOf(dirname(folder));
}
