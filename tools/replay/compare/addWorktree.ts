import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UsageError } from '../base/errors.ts';
import { readlinkSync, rmSync } from 'node:fs';
import { errorCode } from '#shared/formatText.ts';
import { promisify } from 'node:util';

/**
 * Checks a commit out into a temporary worktree: its tree, and the path of a folder beside it for build output. It is removed by `remove`, or when
 * the process exits; the next run removes one whose process was killed.
 */
export async function addWorktree({ repository, commit }: Record<'repository' | 'commit', string>) {
  await removeStaleWorktrees(repository);
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const options = ['--quiet', '--detach', '--lock', '--reason', `${owner()} ${process.pid}`];
  // In a process group of its own, with which everything that git starts ends.
  const adding = spawn('git', ['-C', repository, 'worktree', 'add', ...options, tree, commit], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: environment(),
  });
  const remove = () => {
    process.off('exit', remove);
    const isRunning = adding.exitCode === null && adding.signalCode === null;
    if (adding.pid !== undefined && isRunning) process.kill(-adding.pid, 'SIGKILL');
    removeWorktree(repository, folder);
  };
  process.on('exit', remove);
  const ended = new Promise((resolve) => adding.once('error', resolve).once('close', resolve));
  const [printed, end] = await Promise.all([text(adding.stderr), ended]);
  if (end === 0) return { tree, out: join(folder, 'out'), remove };
  remove();
  const reason = printed.trim().split('\n').at(-1);
  throw new UsageError(`git cannot create a worktree in ${tmpdir()}: ${reason}; TMPDIR names another folder`);
}

/** Git asks for nothing. */
const environment = () => ({ ...process.env, GIT_TERMINAL_PROMPT: '0' });

/**
 * Names this tool, and this machine or container: only its processes can be looked up. A worktree is locked for this reason and the number of its
 * process, so that another run knows whether it still lives.
 */
function owner(): string {
  let namespace: string = process.platform;
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces.
  }
  return `parley-replay on ${hostname()}, ${namespace}, process`;
}

/** Removes the worktrees that ended processes of this tool and this machine left in a repository. No other worktree is touched. */
async function removeStaleWorktrees(repository: string): Promise<void> {
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
function removeWorktree(repository: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  try {
    // Forces twice, because the worktree is locked.
    const args = ['worktree', 'remove', '--force', '--force', join(folder, 'tree')];
    execFileSync('git', ['-C', repository, ...args], { stdio: 'ignore' });
  } catch {
    // It was never added.
  }
}

const run = promisify(execFile);

/** Runs git in a folder, without prompts; resolves to its output. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...args], { env: environment() });
  return stdout.trim();
}

/**
 * Returns the commit of a revision.
 * @param option the option that named it, for the error.
 * @throws {UsageError} when there is no such revision, or the folder is not a git repository.
 */
export async function resolveCommit(repository: string, revision: string, option = '--base') {
  try {
    const options = ['--verify', '--quiet', '--end-of-options'];
    return await git(repository, 'rev-parse', ...options, `${revision}^{commit}`);
  } catch (error) {
    const found = await git(repository, 'rev-parse', '--git-dir').catch(() => undefined);
    const problem = found ? 'there is no such revision' : `${repository} is not a git repository`;
    throw new UsageError(`${option} ${revision}: ${problem}`, { cause: error });
  }
}
