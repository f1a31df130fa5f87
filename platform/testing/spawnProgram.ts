import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts a program with Node. `firstLine` is that on stdout, and rejects when there is none; `printed` is the output so far. */
export function spawnProgram(argv: readonly string[], env: NodeJS.ProcessEnv, node = process.execPath) {
  const child = spawn(node, argv, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
  const closed = once(child, 'close');
  const firstLine = Promise.race([once(createInterface(child.stdout), 'line'), closed]).then(([line]) => {
    if (typeof line === 'string') return line;
    throw new Error(`the program ended: ${printed.stderr}`);
  });
  firstLine.catch(() => undefined);
  return { child, printed, closed, firstLine };
}
