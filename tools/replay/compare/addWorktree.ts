import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UsageError } from '../base/errors.ts';
import { readlinkSync, rmSync } from 'node:fs';
import { errorCode } from '#shared/formatText.ts';
import { promisify } from 'node:util';

/** A commit's tree, and a folder beside it for build output. Both are temporary. */
interface Folders {
  readonly tree: string;
  readonly out: string;
  readonly remove: () => void;
}

/**
 * Checks a commit out into a temporary worktree. It is removed by `remove`, or when the process exits; the next run removes one whose process
 * was killed.
 */
export async function addWorktree({
  repository,
  commit,
}: Record<'repository' | 'commit', string>): Promise<Folders> {
  await removeStaleWorktrees(repository);
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const options = ['--quiet', '--detach', '--lock', '--reason', `${owner()} ${process.pid}`];
  const adding = startGit(repository, 'worktree', 'add', ...options, tree, commit);
  const remove = () => {
    process.off('exit', remove);
    adding.end();
    removeWorktree(repository, folder);
  };
  process.on('exit', remove);
  const reason = await adding.failure;
  if (reason === undefined) return { tree, out: join(folder, 'out'), remove };
  remove();
  throw new UsageError(`git cannot create a worktree in ${tmpdir()}: ${reason}; TMPDIR names another folder`);
}

/** Starts git in a process group of its own, with which everything that it starts ends. */
function startGit(folder: string, ...args: readonly string[]) {
  const child = spawn('git', ['-C', folder, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  const failure = Promise.all([text(child.stderr), ended]).then(([printed, end]) =>
    end === 0 ? undefined : (printed.trim().split('\n').at(-1) ?? ''),
  );
  return {
    /** Resolves to what git says when it fails; to `undefined` when it succeeds. */
    failure,
    /** Ends git if it still runs. */
    end() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, 'SIGKILL');
    },
  };
}

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
  const { stdout } = await run('git', ['-C', folder, ...args], {
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  return stdout.trim();
}

/**
 * Returns the commit of a revision.
 * @throws {UsageError} when there is no such revision, or the folder is not a git repository.
 */
export async function resolveCommit(repository: string, revision: string): Promise<string> {
  try {
    const options = ['--verify', '--quiet', '--end-of-options'];
    return await git(repository, 'rev-parse', ...options, `${revision}^{commit}`);
  } catch (error) {
    const isRepository = await git(repository, 'rev-parse', '--git-dir').then(
      () => true,
      () => false,
    );
    const problem = isRepository ? 'there is no such revision' : `${repository} is not a git repository`;
    throw new UsageError(`--base ${revision}: ${problem}`, { cause: error });
  }
}
