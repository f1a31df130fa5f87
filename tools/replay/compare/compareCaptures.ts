import { existsSync } from 'node:fs';
import { cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { bundleAdapter, loadAdapter } from '../adapter/loadAdapter.ts';
import { CHECKOUT, bundleProblem, bundleSource } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { ResultRecord } from '../verify/resultRecord.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import type { Captures } from '../workers/runInWorkers.ts';
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
  captures: Captures,
  { base, repository, adapter, ...rest }: CompareOptions,
): AsyncGenerator<ResultRecord, void> {
  const current = adapter === undefined ? undefined : await bundleAdapter(adapter);
  try {
    const { problem, remove, ...source } = await addRevision(base, adapter, repository);
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

/** Checks out a revision of Parley, or of the adapter of another app. @throws {UsageError} as {@link addAdapterTree} does. */
export const addRevision = (base: string, adapter?: string, repository?: string) =>
  adapter === undefined ? addCodeTree(base, repository) : addAdapterTree(adapter, base);

/**
 * Checks out a revision: its root, the module with the code, a folder for its bundle, and a function that returns the error about code that cannot be
 * bundled.
 * @param prepare returns the module's path, and what the revision has when it cannot be bundled.
 */
async function addTree(
  repository: string,
  base: string,
  prepare: (tree: string) => Promise<Record<'path' | 'found', string>>,
) {
  const commit = await resolveCommit(repository, base);
  const { tree: root, out, remove } = await addWorktree({ repository, commit });
  try {
    const { path, found } = await prepare(root);
    const problem = (cause: unknown) =>
      new UsageError(`--base ${base}: that revision has ${found}: ${bundleProblem(cause)}`, { cause });
    return { root, entry: join(root, path), out, problem, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The module with the code that a replay needs; the second one is that of older revisions. */
const CODE = 'src/shared/replay/code.ts';
const OLDER_CODE = 'tools/replay/engine/code.ts';

/** Checks out a revision of Parley. When it has no list of the code that a replay needs, it gets that of this checkout. */
function addCodeTree(base: string, repository = CHECKOUT) {
  return addTree(repository, base, async (tree) => {
    await symlink(join(CHECKOUT, 'node_modules'), join(tree, 'node_modules'), 'junction');
    const path = [CODE, OLDER_CODE].find((one) => existsSync(join(tree, one)));
    if (path !== undefined) return { path, found: `a ${path} that cannot be bundled` };
    await cp(join(CHECKOUT, CODE), join(tree, CODE));
    return { path: CODE, found: `neither ${CODE} nor what it imports from src/shared` };
  });
}

/**
 * Checks out a revision of the repository that contains an adapter.
 * @param given the path of the adapter's module, as the user wrote it. The revision has its adapter at the same path.
 * @throws {UsageError} when there is no such revision, or it has no such module.
 */
export async function addAdapterTree(given: string, base: string) {
  const current = await realpath(resolve(given));
  const folder = dirname(current);
  const repository = await git(folder, 'rev-parse', '--show-toplevel').catch((error: unknown) => {
    throw new UsageError(`--base ${base}: ${folder} is not in a git repository`, { cause: error });
  });
  const path = relative(repository, current);
  return addTree(repository, base, async (tree) => {
    if (!existsSync(join(tree, path))) throw new UsageError(`--base ${base}: that revision has no ${path}`);
    await linkPackages(repository, tree, dirname(path));
    return { path, found: `a ${path} that cannot be bundled` };
  });
}

/** Links each folder of packages between the root of a repository and one of its folders, in a worktree. */
async function linkPackages(repository: string, tree: string, folder: string): Promise<void> {
  const packages = join(repository, folder, 'node_modules');
  const link = join(tree, folder, 'node_modules');
  if (existsSync(packages) && !existsSync(link)) {
    await mkdir(dirname(link), { recursive: true });
    await symlink(packages, link, 'junction');
  }
  if (folder !== '.') await linkPackages(repository, tree, dirname(folder));
}
