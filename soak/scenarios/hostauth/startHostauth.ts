import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Interface, createInterface } from 'node:readline';
import type { Soak } from '../../run/scenario.ts';
import { followChild } from '../../harness/followChild.ts';
import { connectDebugger } from '../../harness/connectDebugger.ts';

const DEBUGGER = /^Debugger listening on (ws:\/\/\S+)$/;

/** A process of hostauth. */
interface HostauthProcess {
  readonly pid: number;
  isRunning(): boolean;
  /** Collects garbage. Returns the size of the heap and of the buffers outside it, in MB. */
  held(): Promise<number>;
}

/** A running hostauth: the helper, the HTTP process and PAM processes. */
export interface Hostauth {
  readonly url: string;
  readonly helper: HostauthProcess;
  readonly http: HostauthProcess;
  pamPids(): readonly number[];
  /** Ends both processes with SIGTERM. Returns their exit statuses, that of the HTTP process first. */
  stop(): Promise<readonly (number | null)[]>;
}

/** Starts the built programs as systemd does, with these settings. Stops them after the scenario. */
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

/** Starts a program with Node's debugger, which measures its memory. */
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
  const debuggerUrl = await Promise.race([readDebuggerUrl(child), failed]);
  return {
    pid: child.pid ?? 0,
    output: createInterface(child.stdout),
    failed,
    stop,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async held() {
      const connection = await connectDebugger(debuggerUrl);
      try {
        return (await connection.settledMemory()).held;
      } finally {
        // An ending process waits until its debugger has disconnected.
        connection.close();
      }
    },
  };
}

/** Reads the address of a process's debugger from its stderr. The rest of stderr, the log, is dropped. */
function readDebuggerUrl({ stderr }: Pick<ChildProcess, 'stderr'>): Promise<string> {
  if (stderr === null) throw new TypeError('stderr must be a pipe');
  const lines: Interface = createInterface(stderr);
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const url = DEBUGGER.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Returns the number of open files and sockets of a process. */
export const countOpenFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

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
