import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { git, gitSync } from './git.ts';

interface Worktree {
  readonly repository: string;
  readonly commit: string;
}

/** A commit's tree, and a folder beside it for build output. Both are temporary. */
interface Folders {
  readonly tree: string;
  readonly out: string;
  readonly remove: () => void;
}

/** Checks a commit out into a temporary worktree. It is removed by `remove`, or when the process exits. */
export async function addWorktree({ repository, commit }: Worktree): Promise<Folders> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const remove = () => {
    process.off('exit', remove);
    removeWorktree(repository, { folder, tree });
  };
  process.on('exit', remove);
  try {
    await git(repository, 'worktree', 'add', '--quiet', '--detach', tree, commit);
    return { tree, out: join(folder, 'out'), remove };
  } catch (error) {
    remove();
    const { stderr = '' } = Object(error);
    const reason = String(stderr).trim().split('\n').at(-1);
    throw new UsageError(
      `git cannot create a worktree in ${tmpdir()}: ${reason}; TMPDIR names another folder`,
      {
        cause: error,
      },
    );
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
