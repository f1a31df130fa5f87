import { bundleProblem, bundleSource, checkoutOf } from '../base/bundleSource.ts';
import type { CaptureResult } from '../verify/resultRecord.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { addWorktree, git, resolveCommit } from './addWorktree.ts';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { bundleAdapter, loadAdapter } from '../adapter/loadAdapter.ts';

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
