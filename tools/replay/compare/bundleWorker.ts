import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleProblem, checkoutOf } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { addWorktree, resolveCommit } from './addWorktree.ts';

const WORKER = 'tools/replay/inspector/worker.ts';

/**
 * Bundles the inspector's worker of this checkout with the shared code of another revision: its decoder, queue and reducers.
 * @param repository the repository of the revision; this checkout by default.
 * @returns the script.
 * @throws {UsageError} when there is no such revision, or its code does not fit this worker.
 */
export async function bundleWorker(revision: string, repository?: string): Promise<string> {
  const checkout = checkoutOf(import.meta.dirname);
  const where = repository ?? checkout;
  const commit = await resolveCommit(where, revision);
  const { tree, out, remove } = await addWorktree({ repository: where, commit });
  try {
    await symlink(join(checkout, 'node_modules'), join(tree, 'node_modules'), 'junction');
    await bundle({ checkout, shared: join(tree, 'src/shared'), out });
    return await readFile(join(out, 'worker.js'), 'utf8');
  } catch (error) {
    const why = bundleProblem(error).replaceAll(join(tree, '/'), '');
    throw new UsageError(`--base ${revision}: the inspector cannot run the code of that revision: ${why}`, {
      cause: error,
    });
  } finally {
    remove();
  }
}

interface Bundling {
  readonly checkout: string;
  /** The shared code of the revision. */
  readonly shared: string;
  readonly out: string;
}

async function bundle({ checkout, shared, out }: Bundling): Promise<void> {
  // Large, and rarely needed.
  const { build } = await import('rolldown');
  await build({
    cwd: checkout,
    input: join(checkout, WORKER),
    platform: 'browser',
    // An import that cannot be resolved is only a warning.
    onLog: (_level, log, handle) => (log.code === 'UNRESOLVED_IMPORT' ? handle('error', log) : undefined),
    plugins: [
      {
        name: 'parley:shared-code-of-the-revision',
        resolveId: (id) => (id.startsWith(SHARED) ? join(shared, id.slice(SHARED.length)) : undefined),
      },
    ],
    // Without the packages' checks for developers.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { file: join(out, 'worker.js'), format: 'iife' },
  });
}

const SHARED = '#shared/';
