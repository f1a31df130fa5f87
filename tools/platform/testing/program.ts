import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import { onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Builds the program into a folder of this process's own and returns its path; `remove` takes it away. */
export async function buildProgram(): Promise<{ path: string; remove: () => Promise<void> }> {
  // Within the repository, for the packages that it leaves to Node are found from there.
  const folder = join(ROOT, 'out', `platform-test-${process.pid}`);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      rolldownOptions: {
        input: { platform: join(ROOT, 'tools', 'platform', 'main.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return { path: join(folder, 'platform.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  /** The first line on stdout; rejects when there is none. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ending>;
}

/** Runs the program; it is killed with the test if it has not ended. */
export function runProgram(
  path: string,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Program {
  const child = spawn(process.execPath, [path, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { stdout, stderr } = child;
  const ended = Promise.all([text(stdout), text(stderr), once(child, 'close')]).then(
    ([out, err]): Ending => ({ code: child.exitCode, stdout: out, stderr: err }),
  );
  const lines = createInterface({ input: stdout });
  const firstLine = Promise.race([once(lines, 'line'), ended]).then((line) => {
    if (Array.isArray(line)) return String(line[0]);
    throw new Error(`the program ended: ${line.stderr}`);
  });
  firstLine.catch(() => undefined);
  return { child, firstLine, ended };
}
