import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of this repository that serves an address. */
export type ServingProgram = Awaited<ReturnType<typeof startProgram>>;

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

/** Starts a built program; resolves when it has printed its ready line. */
export async function startProgram(argv: readonly string[], env: NodeJS.ProcessEnv = {}, node?: string) {
  const { child, printed, firstLine } = spawnProgram(argv, env, node);
  const ended = once(child, 'exit');
  return {
    url: (await firstLine).replace(/^.* at /, ''),
    process: child,
    printed,
    /** Ends it by SIGTERM; resolves to its exit code. */
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
