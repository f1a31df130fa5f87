import { existsSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { bundleAdapter } from '../adapter/bundleAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { UsageError } from '../base/errors.ts';
import { bundleProblem, bundleSource } from '../bundle/bundleSource.ts';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { addWorktree } from './addWorktree.ts';
import { git, resolveCommit } from './git.ts';

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
    const path = await realpath(resolve(given));
    const repository = await repositoryOf(path, base);
    const commit = await resolveCommit(repository, base);
    const { tree, out, remove } = await addWorktree({ repository, commit });
    try {
      const file = await bundleRevision({ repository, tree, out, base, path: relative(repository, path) });
      await loadAdapter(file, `${given} (of ${base})`);
      yield* verifyCaptures(captures, { ...rest, app: current.file, base: file });
    } finally {
      remove();
    }
  } finally {
    current.remove();
  }
}

/** Returns the repository that contains a file. */
const repositoryOf = (path: string, base: string): Promise<string> =>
  git(dirname(path), 'rev-parse', '--show-toplevel').catch((error: unknown) => {
    throw new UsageError(`--base ${base}: ${dirname(path)} is not in a git repository`, { cause: error });
  });

interface Revision {
  readonly repository: string;
  readonly tree: string;
  readonly out: string;
  readonly base: string;
  /** The adapter's path in the repository. */
  readonly path: string;
}

/** Bundles the adapter of a revision, with the packages of the working tree. */
async function bundleRevision({ repository, tree, out, base, path }: Revision): Promise<string> {
  if (!existsSync(join(tree, path))) throw new UsageError(`--base ${base}: that revision has no ${path}`);
  await linkPackages({ repository, tree, path });
  try {
    return await bundleSource({ root: tree, entry: join(tree, path), out });
  } catch (error) {
    const problem = `a ${path} that cannot be bundled: ${bundleProblem(error)}`;
    throw new UsageError(`--base ${base}: that revision has ${problem}`, { cause: error });
  }
}

/** Links each folder of packages between the repository's root and the adapter. */
async function linkPackages({ repository, tree, path }: Pick<Revision, 'repository' | 'tree' | 'path'>) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const packages = join(repository, folder, 'node_modules');
    const link = join(tree, folder, 'node_modules');
    if (existsSync(packages) && !existsSync(link)) {
      await mkdir(dirname(link), { recursive: true });
      await symlink(packages, link, 'junction');
    }
    if (folder === '.') return;
  }
}
