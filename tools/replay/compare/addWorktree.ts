import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { UsageError } from '../base/errors.ts';
import { lockReason, removeStaleWorktrees, removeWorktree } from './staleWorktrees.ts';

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

/**
 * Checks a commit out into a temporary worktree. It is removed by `remove`, or when the process exits; the next run removes one whose process
 * was killed.
 */
export async function addWorktree({ repository, commit }: Worktree): Promise<Folders> {
  await removeStaleWorktrees(repository);
  const folder = await mkdtemp(join(tmpdir(), 'parley-compare-'));
  const tree = join(folder, 'tree');
  const options = ['--quiet', '--detach', '--lock', '--reason', lockReason()];
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
