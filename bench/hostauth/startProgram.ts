import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { buildProgram } from '#tests/builders/buildProgram.ts';

/** A server process. */
export interface Program {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds and starts a program that prints its address first. Its log is a file, as a service's log is. */
export async function startProgram(entry: string, args: readonly string[], log: string): Promise<Program> {
  const { path, remove } = await buildProgram(entry);
  const file: FileHandle = await open(log, 'a');
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', file.fd] });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a program without pipes');
  const ended = once(child, 'exit');
  const [url] = await Promise.race([
    once(createInterface(stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`${entry} did not start: see ${log}`))),
  ]);
  return {
    url: String(url),
    async close() {
      stdin.end();
      await ended;
      await file.close();
      await remove();
    },
  };
}
