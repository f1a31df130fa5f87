import { once } from 'node:events';
import { spawnProgram } from '#platform/testing/spawnProgram.ts';

/** A program of this repository that serves an address. */
export type ServingProgram = Awaited<ReturnType<typeof startProgram>>;

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
