import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Runs the program; kills it at the end of the test if it is still running. `firstLine` is that on stdout; it rejects when there is none. */
export function runProgram(path: string, argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [path, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr }),
  );
  const lines = createInterface({ input: child.stdout });
  const firstLine = Promise.race([once(lines, 'line'), ended]).then((line) => {
    if (Array.isArray(line)) return String(line[0]);
    throw new Error(`the program ended: ${line.stderr}`);
  });
  firstLine.catch(() => undefined);
  return { child, firstLine, ended };
}
