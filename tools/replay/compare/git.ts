import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from '../base/errors.ts';

const run = promisify(execFile);

/** Runs git in a folder, without prompts; resolves to its output. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...args], {
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  return stdout.trim();
}

/** Runs git synchronously, for a process that is about to end. */
export const gitSync = (folder: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
};

/**
 * Returns the commit of a revision.
 * @throws {UsageError} when there is no such revision, or the folder is not a git repository.
 */
export async function resolveCommit(repository: string, revision: string): Promise<string> {
  try {
    return await git(
      repository,
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    );
  } catch (error) {
    const isRepository = await git(repository, 'rev-parse', '--git-dir').then(
      () => true,
      () => false,
    );
    const problem = isRepository ? 'there is no such revision' : `${repository} is not a git repository`;
    throw new UsageError(`--base ${revision}: ${problem}`, { cause: error });
  }
}
