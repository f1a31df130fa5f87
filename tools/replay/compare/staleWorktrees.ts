import { readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#shared/errorCode.ts';
import { git, gitSync } from './git.ts';

const TOOL = 'parley-replay';

/** Returns the reason for which a worktree of this process is locked. It names the process, so that another run knows whether it still lives. */
export const lockReason = (): string => `${owner()} ${process.pid}`;

/** Names this machine, or this container: only its processes can be looked up. */
function owner(): string {
  return `${TOOL} on ${hostname()}, ${processNamespace()}, process`;
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces.
    return process.platform;
  }
}

/** Removes the worktrees that ended processes of this tool and this machine left in a repository. No other worktree is touched. */
export async function removeStaleWorktrees(repository: string): Promise<void> {
  const list = await git(repository, 'worktree', 'list', '--porcelain', '-z').catch(() => '');
  for (const entry of list.split('\0\0')) {
    const [, tree = ''] = /(?:^|\0)worktree ([^\0]+)/.exec(entry) ?? [];
    const [, reason = ''] = /\0locked ([^\0]+)/.exec(entry) ?? [];
    const folder = dirname(tree);
    const isOurs = basename(folder).startsWith('parley-compare-') && reason.startsWith(`${owner()} `);
    if (isOurs && !isAlive(Number(reason.slice(owner().length)))) removeWorktree(repository, folder);
  }
}

/** Returns whether a process exists. It may be another one with the same number: then its worktree stays. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Removes the worktree of a folder of `addWorktree`, and the folder. Git forgets a worktree that is missing also when it was not complete. */
export function removeWorktree(repository: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  try {
    // Forces twice, because the worktree is locked.
    gitSync(repository, 'worktree', 'remove', '--force', '--force', join(folder, 'tree'));
  } catch {
    // It was never added.
  }
}
