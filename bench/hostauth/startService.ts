import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildProgram } from '#tests/builders/buildProgram.ts';

/** The folder of the built programs. */
const PROGRAMS = join(import.meta.dirname, '..', 'hostauth');

/** All sign-ins are of one user at one address: these limits are active and never reached. */
const UNLIMITED = {
  HOSTAUTH_FAILURES: '1000000',
  HOSTAUTH_ADDRESS_FAILURES: '1000000',
  HOSTAUTH_PER_USER: '1000000',
};

/** Starts a built program of hostauth with a log file. */
async function start(name: string, env: Readonly<Record<string, string>>, log: string) {
  const file: FileHandle = await open(log, 'a');
  const child: ChildProcess = spawn(process.execPath, [join(PROGRAMS, `${name}.js`)], {
    env: { PATH: process.env['PATH'], ...UNLIMITED, ...env },
    stdio: ['ignore', 'pipe', file.fd],
  });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
    await file.close();
  };
  return { child, ended, close };
}

/** Starts the service as `npm run hostauth` does: the helper, and the HTTP process on any port. */
export async function startService(pamService: string, log: string): Promise<Program> {
  const env = { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: pamService };
  const { child, ended, close } = await start('hostauth', env, log);
  if (child.stdout === null) throw new Error('a program without a pipe');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`hostauth did not start: see ${log}`))),
  ]);
  return { url: String(line).replace('hostauth is ready at ', ''), close };
}

/** Starts only the helper, on a socket. */
export async function startHelper(pamService: string, socket: string, log: string) {
  const { close } = await start(
    'helper',
    { HOSTAUTH_HELPER_SOCKET: socket, HOSTAUTH_PAM_SERVICE: pamService },
    log,
  );
  return { close };
}

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
