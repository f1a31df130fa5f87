import { bundleAdapter, loadAdapter } from '../adapter/loadAdapter.ts';
import { bundleProblem, bundleSource } from '../base/bundleSource.ts';
import type { CaptureResult } from '../verify/resultRecord.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { existsSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { addWorktree, git, resolveCommit } from './addWorktree.ts';

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

/** The adapter of another revision, with the packages of the working tree. */
interface AdapterTree {
  /** The root of the revision's files. */
  readonly root: string;
  /** The adapter's module. */
  readonly entry: string;
  /** A folder for its bundle. */
  readonly out: string;
  /** Returns the error about an adapter that cannot be bundled. */
  readonly problem: (error: unknown) => UsageError;
  readonly remove: () => void;
}

/**
 * Checks out a revision of the repository that contains an adapter.
 * @param given the path of the adapter's module, as the user wrote it. The revision has its adapter at the same path.
 * @throws {UsageError} when there is no such revision, or it has no such module.
 */
export async function addAdapterTree(given: string, base: string): Promise<AdapterTree> {
  const current = await realpath(resolve(given));
  const repository = await repositoryOf(current, base);
  const commit = await resolveCommit(repository, base);
  const { tree, out, remove } = await addWorktree({ repository, commit });
  const path = relative(repository, current);
  try {
    if (!existsSync(join(tree, path))) throw new UsageError(`--base ${base}: that revision has no ${path}`);
    await linkPackages({ repository, tree, path });
  } catch (error) {
    remove();
    throw error;
  }
  const problem = (cause: unknown) =>
    new UsageError(
      `--base ${base}: that revision has a ${path} that cannot be bundled: ${bundleProblem(cause)}`,
      { cause },
    );
  return { root: tree, entry: join(tree, path), out, problem, remove };
}

/** Returns the repository that contains a file. */
const repositoryOf = (path: string, base: string): Promise<string> =>
  git(dirname(path), 'rev-parse', '--show-toplevel').catch((error: unknown) => {
    throw new UsageError(`--base ${base}: ${dirname(path)} is not in a git repository`, { cause: error });
  });

interface Revision {
  readonly repository: string;
  readonly tree: string;
  /** The adapter's path in the repository. */
  readonly path: string;
}

/** Links each folder of packages between the repository's root and the adapter. */
async function linkPackages({ repository, tree, path }: Revision) {
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
