import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The built command line. */
export const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

/** Starts the tool; it has ended when the test ends. `ended` has the exit status that a shell shows. */
export function startTool(args: readonly string[], cwd?: string) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (printed.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed.stderr += data.toString()));
  // A command may end before it has read all of its input.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => ({ status: statusOf(child), ...printed }));
  return { child, printed, ended };
}

const statusOf = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode ?? 128 + constants.signals[signalCode ?? 'SIGKILL'];
