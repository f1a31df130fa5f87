import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A platform that runs as a program. */
export interface StartedProgram {
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** Starts a program that prints `The platform is ready at <url>`, for all tests of a file. */
export async function startProgram(path: string, argv: readonly string[]): Promise<StartedProgram> {
  const child = spawn(process.execPath, [path, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    apiUrl: String(line).slice('The platform is ready at '.length),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
