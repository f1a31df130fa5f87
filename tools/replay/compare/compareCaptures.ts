import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { bundleAdapter, loadAdapter } from '../adapter/loadAdapter.ts';
import { bundleProblem, bundleSource, checkoutOf } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { CaptureResult } from '../verify/resultRecord.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { addWorktree, git, resolveCommit } from './addWorktree.ts';

interface CompareOptions extends Omit<VerifyCapturesOptions, 'update' | 'base' | 'app'> {
  readonly base: string;
  /** The repository of the revision without an adapter; this checkout by default. */
  readonly repository?: string;
}

/**
 * Replays captures with the code of another revision and with that of this checkout, or with both revisions of the adapter of another app, and
 * compares the results. Those of the other revision are the expected ones.
 * @throws {UsageError} when there is no such revision, it lacks what a replay needs, or an adapter cannot be used.
 */
export async function* compareCaptures(
  captures: Iterable<string> | AsyncIterable<string>,
  { base, repository, adapter, ...rest }: CompareOptions,
): AsyncGenerator<CaptureResult, void> {
  const current = adapter === undefined ? undefined : await bundleAdapter(adapter);
  try {
    const { problem, remove, ...source } =
      adapter === undefined ? await addCodeTree(base, repository) : await addAdapterTree(adapter, base);
    try {
      const file = await bundleSource(source).catch((error: unknown) => {
        throw problem(error);
      });
      if (adapter === undefined) await rest.own.loadRevision(file, base);
      else await loadAdapter(file, `${adapter} (of ${base})`);
      yield* verifyCaptures(captures, { ...rest, base: file, ...(current && { app: current.file }) });
    } finally {
      remove();
    }
  } finally {
    current?.remove();
  }
}

/** The code of another revision, with the packages of the working tree. */
interface RevisionTree {
  /** The root of the revision's files. */
  readonly root: string;
  /** The module with the code: what a replay needs, or an adapter. */
  readonly entry: string;
  /** A folder for its bundle. */
  readonly out: string;
  /** Returns the error about code that cannot be bundled. */
  readonly problem: (error: unknown) => UsageError;
  readonly remove: () => void;
}

const problemOf = (base: string, found: string) => (cause: unknown) =>
  new UsageError(`--base ${base}: that revision has ${found}: ${bundleProblem(cause)}`, { cause });

/** The module with the code that a replay needs; the second one is that of older revisions. */
const CODE = 'src/shared/replay/code.ts';
const OLDER_CODE = 'tools/replay/engine/code.ts';

/** Checks out a revision of Parley. When it has no list of the code that a replay needs, it gets that of this checkout. */
async function addCodeTree(base: string, repository?: string): Promise<RevisionTree> {
  const checkout = checkoutOf(import.meta.dirname);
  const where = repository ?? checkout;
  const commit = await resolveCommit(where, base);
  const { tree: root, out, remove } = await addWorktree({ repository: where, commit });
  try {
    const own = [CODE, OLDER_CODE].find((path) => existsSync(join(root, path)));
    const entry = join(root, own ?? CODE);
    if (own === undefined) {
      await mkdir(dirname(entry), { recursive: true });
      await copyFile(join(checkout, CODE), entry);
    }
    await symlink(join(checkout, 'node_modules'), join(root, 'node_modules'), 'junction');
    const found =
      own === undefined
        ? `neither ${CODE} nor what it imports from src/shared`
        : `a ${own} that cannot be bundled`;
    return { root, entry, out, problem: problemOf(base, found), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Checks out a revision of the repository that contains an adapter.
 * @param given the path of the adapter's module, as the user wrote it. The revision has its adapter at the same path.
 * @throws {UsageError} when there is no such revision, or it has no such module.
 */
export async function addAdapterTree(given: string, base: string): Promise<RevisionTree> {
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
  const problem = problemOf(base, `a ${path} that cannot be bundled`);
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
