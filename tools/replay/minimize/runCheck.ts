import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { UsageError } from '../base/errors.ts';
import { errorCode } from '#shared/errorCode.ts';

/** The result of a check. */
export type CheckResult = 'passes' | 'fails';

/** The exit codes of a shell for a command that it cannot find or run. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

interface Check {
  /** A line for the shell; the candidate's path is appended to it, and is also in `PARLEY_CAPTURE_FILE`. */
  readonly command: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a check on a candidate, without its output. A check that a signal ended counts as passed.
 * @throws {UsageError} when the shell cannot run it.
 */
export async function runCheck({ command, path, signal }: Check): Promise<CheckResult> {
  // For writing only: the `ignore` of Node looks like a closed stdout to this tool, which a check may run.
  const discard = openSync(devNull, 'w');
  // Its own process group, so that everything that the shell started ends with it.
  const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', path], {
    stdio: ['ignore', discard, discard],
    detached: true,
    env: { ...process.env, PARLEY_CAPTURE_FILE: path },
  });
  closeSync(discard);
  const end = () => endGroup(child.pid);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (NOT_RUN.has(child.exitCode)) throw new UsageError(`--check: the shell cannot run \`${command}\``);
  return child.exitCode === null || child.exitCode === 0 ? 'passes' : 'fails';
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has already ended.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
