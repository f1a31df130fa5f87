import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Interface, createInterface } from 'node:readline';
import type { Soak } from '../../run/scenario.ts';
import { followChild } from '../followChild.ts';
import { connectDebugger } from '../connectDebugger.ts';

const DEBUGGER = /^Debugger listening on (ws:\/\/\S+)$/;

/** A process of hostauth. */
export interface HostauthProcess {
  readonly pid: number;
  isRunning(): boolean;
  /** Collects garbage; gives the heap and the buffers outside it that are in use then, in MB. */
  held(): Promise<number>;
}

/** A running hostauth: the helper, the HTTP process and PAM processes. */
export interface Hostauth {
  readonly url: string;
  readonly helper: HostauthProcess;
  readonly http: HostauthProcess;
  pamPids(): readonly number[];
  /** Ends both processes with SIGTERM; gives their exit codes, the HTTP process's first. */
  stop(): Promise<readonly (number | null)[]>;
}

/** Starts the built programs as systemd does, with these settings; they are stopped with the scenario. */
export async function startHostauth(
  soak: Soak,
  settings: Readonly<Record<string, string>>,
): Promise<Hostauth> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-soak-hostauth-'));
  // The HTTP process has the rights of another user.
  chmodSync(folder, 0o711);
  soak.defer(() => rmSync(folder, { recursive: true }));
  const env = { HOSTAUTH_HELPER_SOCKET: join(folder, 'helper.sock'), ...settings };
  const helper = await start(soak, 'helper', env);
  const http = await start(soak, 'http', env);
  const [ready] = await Promise.race([once(http.output, 'line'), http.failed]);
  return {
    url: String(ready).replace('hostauth is ready at ', ''),
    helper,
    http,
    pamPids: () => childrenOf(helper.pid).filter((pid) => programOf(pid).includes('pamChild.js')),
    stop: async () => [await http.stop(), await helper.stop()],
  };
}

/** Starts a program under Node's debugger, which measures the memory. */
async function start(soak: Soak, name: string, env: Readonly<Record<string, string>>) {
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', join(soak.programs, 'hostauth', `${name}.js`)],
    // As `npm run hostauth` sets it: threads of io_uring would keep root's rights.
    { env: { PATH: process.env['PATH'], UV_USE_IO_URING: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = followChild(child);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  soak.defer(stop);
  const failed = ended.then(() => Promise.reject(new Error(`${name} did not start`)));
  failed.catch(() => undefined);
  const inspectorUrl = await Promise.race([debuggerOf(child), failed]);
  return {
    pid: child.pid ?? 0,
    output: createInterface(child.stdout),
    failed,
    stop,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async held() {
      const inspector = await connectDebugger(inspectorUrl);
      try {
        return (await inspector.settledMemory()).held;
      } finally {
        // A process that ends would wait for its debugger.
        inspector.close();
      }
    },
  };
}

/** The address of a process's debugger; the rest of its stderr, the log, is dropped. */
function debuggerOf({ stderr }: Pick<ChildProcess, 'stderr'>): Promise<string> {
  if (stderr === null) throw new TypeError('stderr must be a pipe');
  const lines: Interface = createInterface(stderr);
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const url = DEBUGGER.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** How many files and sockets a process has open. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const childrenOf = (pid: number): readonly number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

const programOf = (pid: number) => read(`/proc/${pid}/cmdline`);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
