import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of this repository that serves an address. */
export type ServingProgram = Awaited<ReturnType<typeof startProgram>>;

/** Starts a built program; resolves when it has printed its ready line. */
export async function startProgram(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`the program ended: ${log}`))),
  ]);
  return {
    /** The address in its ready line. */
    url: String(line).replace(/^.* at /, ''),
    /** Returns what it has logged so far. */
    log: () => log,
    /** Ends it by SIGTERM. */
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
