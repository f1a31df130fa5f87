import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { errorCode } from '#shared/errorCode.ts';

/** What a check said of a candidate; `unusable` when the shell could not run it at all. */
export type Verdict = 'passes' | 'fails' | 'unusable';

/** What a shell says of a command that it cannot find, or may not run. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

interface Check {
  /** A line for the shell; the candidate's path comes after it, and stands in `PARLEY_CAPTURE_FILE` too. */
  readonly command: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Runs a check on a candidate. Its output is not shown. One that a signal ended says nothing, and so passes. */
export async function runCheck({ command, path, signal }: Check): Promise<Verdict> {
  // A process group of its own, so that what the shell started ends with it.
  const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', path], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PARLEY_CAPTURE_FILE: path },
  });
  const end = () => endGroup(child.pid);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (NOT_RUN.has(child.exitCode)) return 'unusable';
  return child.exitCode === null || child.exitCode === 0 ? 'passes' : 'fails';
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
