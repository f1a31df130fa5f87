import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The exit code and the output of a program that ended. */
interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
interface Program {
  readonly child: ChildProcess;
  /** The first line on stdout; rejects when there is none. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<ProgramEnd>;
}

/** Runs the program; kills it at the end of the test if it is still running. */
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
    ([out, err]): ProgramEnd => ({ code: child.exitCode, stdout: out, stderr: err }),
  );
  const lines = createInterface({ input: stdout });
  const firstLine = Promise.race([once(lines, 'line'), ended]).then((line) => {
    if (Array.isArray(line)) return String(line[0]);
    throw new Error(`the program ended: ${line.stderr}`);
  });
  firstLine.catch(() => undefined);
  return { child, firstLine, ended };
}
