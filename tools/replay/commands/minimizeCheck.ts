import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { UsageError } from '../base/errors.ts';
import { errorCode } from '#shared/errorCode.ts';
import { type CaptureResult, type ResultRecord, recordOf } from '../verify/resultRecord.ts';

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

/** Checks captures one after the other with the same workers. */
interface OwnCheck {
  /**
   * Returns whether a capture fails with the same outcome and signature as the first one.
   * @throws {UsageError} when the first one cannot be used.
   */
  check(path: string): Promise<CheckResult>;
  /** Ends the workers. */
  end(): Promise<void>;
}

/** Creates a check that uses the results of `verify` or `compare`. */
export function ownCheck(
  resultsOf: (captures: AsyncIterable<string>) => AsyncGenerator<CaptureResult, void>,
): OwnCheck {
  const queue = createQueue();
  const results = resultsOf(queue.items);
  let wanted: ResultRecord | undefined;
  return {
    async check(path) {
      queue.add(path);
      const { value } = await results.next();
      // A signal ended the workers.
      if (value === undefined) return 'passes';
      const found = recordOf(value);
      if (wanted === undefined) {
        if (found.outcome === 'unusable') throw new UsageError(found.problem ?? found.outcome);
        wanted = found;
        return found.signature === undefined ? 'passes' : 'fails';
      }
      const isSame = found.outcome === wanted.outcome && found.signature === wanted.signature;
      return isSame ? 'fails' : 'passes';
    },
    async end() {
      queue.end();
      await results.return();
    },
  };
}

/** Passes captures to workers as they are added. */
function createQueue() {
  let isOver = false;
  let waiting: string[] = [];
  let wake: (() => void) | undefined;
  async function* items(): AsyncGenerator<string, void> {
    for (;;) {
      yield* waiting.splice(0);
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || isOver) resolve();
      });
    }
  }
  return {
    items: items(),
    add(path: string) {
      waiting = [...waiting, path];
      wake?.();
    },
    end() {
      isOver = true;
      wake?.();
    },
  };
}
