import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, gitSync } from './git.ts';

interface Worktree {
  readonly repository: string;
  readonly commit: string;
}

/** A commit's tree, and a folder beside it for build output. Both are temporary. */
interface Folders {
  readonly tree: string;
  readonly out: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Ends the process through its `exit` event, so that the worktree is removed. */
const stop = () => process.exit(0);

/** Checks a commit out into a temporary worktree, and always removes it, also after a signal. */
export async function withWorktree<T>(
  { repository, commit }: Worktree,
  use: (folders: Folders) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const remove = () => removeWorktree(repository, { folder, tree });
  process.once('exit', remove);
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await git(repository, 'worktree', 'add', '--quiet', '--detach', tree, commit);
    return await use({ tree, out: join(folder, 'out') });
  } finally {
    remove();
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Forces twice, because git locks a worktree while it creates it. */
function removeWorktree(repository: string, { folder, tree }: { folder: string; tree: string }): void {
  try {
    gitSync(repository, 'worktree', 'remove', '--force', '--force', tree);
  } catch {
    // It was never added. Removing the folder removes its remains.
  }
  rmSync(folder, { recursive: true, force: true });
}
