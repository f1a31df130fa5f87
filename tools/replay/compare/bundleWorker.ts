import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT, bundleProblem, bundleSource } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { addWorktree, resolveCommit } from './addWorktree.ts';

/**
 * Bundles the inspector's worker of this checkout with the shared code of another revision: its decoder, queue and reducers.
 * @param repository the repository of the revision; this checkout by default.
 * @returns the script.
 * @throws {UsageError} when there is no such revision, or its code does not fit this worker.
 */
export async function bundleWorker(revision: string, repository = CHECKOUT): Promise<string> {
  const commit = await resolveCommit(repository, revision);
  const { tree, out, remove } = await addWorktree({ repository, commit });
  try {
    await symlink(join(CHECKOUT, 'node_modules'), join(tree, 'node_modules'), 'junction');
    const entry = join(CHECKOUT, 'tools/replay/inspector/worker.ts');
    const shared = join(tree, 'src/shared');
    const script = { platform: 'browser', global: 'inspectorWorker', shared } as const;
    return await readFile(await bundleSource({ root: CHECKOUT, entry, out, ...script }), 'utf8');
  } catch (error) {
    const why = bundleProblem(error).replaceAll(join(tree, '/'), '');
    throw new UsageError(`--base ${revision}: the inspector cannot run the code of that revision: ${why}`, {
      cause: error,
    });
  } finally {
    remove();
  }
}
