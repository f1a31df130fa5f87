import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, gitSync } from './git.ts';

interface Worktree {
  readonly repository: string;
  readonly commit: string;
}

/** A commit's tree, and a folder beside it for what is made of it; both last as long as they are used. */
interface Folders {
  readonly tree: string;
  readonly out: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** An end that is heard of by whoever has something to take away. */
const stop = () => process.exit(0);

/** Checks a commit out into a temporary worktree, which is taken away whatever happens, a signal too. */
export async function withWorktree<T>(
  { repository, commit }: Worktree,
  use: (folders: Folders) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const takeAway = () => removeWorktree(repository, { folder, tree });
  process.once('exit', takeAway);
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await git(repository, 'worktree', 'add', '--quiet', '--detach', tree, commit);
    return await use({ tree, out: join(folder, 'out') });
  } finally {
    takeAway();
    process.off('exit', takeAway);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Twice forced: git locks a worktree while it is still making it. */
function removeWorktree(repository: string, { folder, tree }: { folder: string; tree: string }): void {
  try {
    gitSync(repository, 'worktree', 'remove', '--force', '--force', tree);
  } catch {
    // It was never added; what there is of it goes with the folder.
  }
  rmSync(folder, { recursive: true, force: true });
}
