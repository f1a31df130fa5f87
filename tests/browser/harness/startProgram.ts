import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of this repository that serves an address. */
export type ServingProgram = Awaited<ReturnType<typeof startProgram>>;

/** Starts a built program; resolves when it has printed its ready line. */
export async function startProgram(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node = process.execPath,
) {
  const child = spawn(node, argv, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (printed.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed.stderr += text.toString()));
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`the program ended: ${printed.stderr}`))),
  ]);
  return {
    url: String(line).replace(/^.* at /, ''),
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
