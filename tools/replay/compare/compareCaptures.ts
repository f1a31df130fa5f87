import { bundleProblem, bundleSource, checkoutOf } from '../base/bundleSource.ts';
import type { CaptureResult } from '../verify/resultRecord.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { addWorktree, resolveCommit } from './addWorktree.ts';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../base/errors.ts';

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
    await rest.own.loadRevision(code, base);
    yield* verifyCaptures(captures, { ...rest, base: code });
  } finally {
    remove();
  }
}

/** The module with the code that a replay needs; the second one is that of older revisions. */
const CODE = 'src/shared/replay/code.ts';
const OLDER_CODE = 'tools/replay/engine/code.ts';

interface Bundling {
  /** The revision's complete tree; files are added to it. */
  readonly tree: string;
  readonly out: string;
  /** This checkout: its packages are used, and its `code.ts` when the revision has none. */
  readonly checkout: string;
  /** The revision as the user wrote it, for errors. */
  readonly revision: string;
}

/**
 * Bundles the code of a revision that a replay needs into one module.
 * @returns the module's file.
 * @throws {UsageError} when the revision does not have that code.
 */
async function bundleCode({ tree, out, checkout, revision }: Bundling): Promise<string> {
  const own = [CODE, OLDER_CODE].find((path) => existsSync(join(tree, path)));
  const entry = join(tree, own ?? CODE);
  if (own === undefined) {
    await mkdir(dirname(entry), { recursive: true });
    await copyFile(join(checkout, CODE), entry);
  }
  await symlink(join(checkout, 'node_modules'), join(tree, 'node_modules'), 'junction');
  try {
    return await bundleSource({ root: tree, entry, out });
  } catch (error) {
    const has =
      own !== undefined
        ? `a ${own} that cannot be bundled`
        : `neither ${CODE} nor what it imports from src/shared`;
    throw new UsageError(`--base ${revision}: that revision has ${has}: ${bundleProblem(error)}`, {
      cause: error,
    });
  }
}
