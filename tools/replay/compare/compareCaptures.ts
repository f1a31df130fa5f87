import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { bundleCode } from './bundleCode.ts';
import { resolveCommit } from './git.ts';
import { loadCode } from '../verify/loadCode.ts';
import { withWorktree } from './withWorktree.ts';

interface CompareOptions extends Pick<VerifyCapturesOptions, 'workers' | 'workerFile' | 'onResults'> {
  readonly base: string;
  /** The repository of the revision; this checkout by default. */
  readonly repository?: string;
}

/**
 * Replays captures with the code of another revision and with that of this checkout, and compares the results. Those of
 * the other revision are the expected ones.
 * @throws {UsageError} when there is no such revision, or it lacks what a replay needs.
 */
export async function compareCaptures(
  captures: readonly string[],
  { base, repository, ...rest }: CompareOptions,
): Promise<CaptureResult[]> {
  const checkout = checkoutOf(import.meta.dirname);
  const where = repository ?? checkout;
  const commit = await resolveCommit(where, base);
  return withWorktree({ repository: where, commit }, async (folders) => {
    const code = await bundleCode({ ...folders, checkout, revision: base });
    await loadCode(code, base);
    return verifyCaptures(captures, { ...rest, base: code });
  });
}

/** Returns the folder with package.json that contains this code, as source or bundled. */
function checkoutOf(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return checkoutOf(dirname(folder));
}
