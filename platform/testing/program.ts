import { onTestFinished } from 'vitest';
import { spawnProgram } from './spawnProgram.ts';

/** Runs the program; kills it at the end of the test if it is still running. `firstLine` is that on stdout; it rejects when there is none. */
export function runProgram(path: string, argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { child, printed, closed, firstLine } = spawnProgram([path, ...argv], environment);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, firstLine, ended: closed.then(() => ({ code: child.exitCode, ...printed })) };
}
