import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Interface, createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Soak } from '../run/scenario.ts';
import { followChild } from '../harness/startMessenger.ts';
import { withDebugger } from '../harness/connectDebugger.ts';
import { fitSlope, readProcessMemory, readText } from '../harness/memory.ts';

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
    held: () => withDebugger(debuggerUrl, async ({ settledMemory }) => (await settledMemory()).held),
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
  readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

const programOf = (pid: number) => readText(`/proc/${pid}/cmdline`);

const SAMPLES = 20;

/** The limits of the memory of a process. */
interface MemoryLimits {
  /** How long memory is measured. */
  readonly seconds: number;
  /** What may be held more after each minute, after garbage collections. MB. */
  readonly slopeMb: number;
  /** How much more resident memory a process may have in the last quarter than in the second. MB. */
  readonly growthMb: number;
}

/** Measures the memory, in MB. `held` is measured after a garbage collection. */
const takeSample = async ({ http, helper, pamPids }: Hostauth) => ({
  'http, held': await http.held(),
  'helper, held': await helper.held(),
  'http, resident': readProcessMemory(http.pid).resident,
  'helper, resident': readProcessMemory(helper.pid).resident,
  /** Of the largest one. */
  'PAM, resident': Math.max(0, ...pamPids().map((pid) => readProcessMemory(pid).resident)),
});

type Sample = Awaited<ReturnType<typeof takeSample>> & { readonly minute: number };

/** Asserts that no process grows during that time. The first quarter, when code is compiled and caches fill, does not count. */
export async function checkMemory(soak: Soak, hostauth: Hostauth, limits: MemoryLimits): Promise<void> {
  const { seconds, slopeMb, growthMb } = limits;
  const samples: Sample[] = [];
  const startedAt = performance.now();
  for (let index = 1; index <= SAMPLES; index++) {
    const due = startedAt + (index / SAMPLES) * seconds * 1000;
    await pause(Math.max(0, due - performance.now()));
    const sample = { ...(await takeSample(hostauth)), minute: (performance.now() - startedAt) / 60_000 };
    samples.push(sample);
    const parts = Object.entries(sample).map(([name, value]) => `${name} ${value.toFixed(1)}`);
    soak.showProgress(`${index} of ${SAMPLES}: ${parts.join('; ')}`);
  }
  const settled = samples.slice(SAMPLES / 4);
  for (const part of ['http, held', 'helper, held'] as const) {
    const slope = fitSlope(settled.map((sample) => [sample.minute, sample[part]]));
    soak.addFigure(`${part} at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.addFigure(`${part}: growth`, slope, 'MB/min');
    soak.check(`${part}: grows by less than ${slopeMb} MB a minute`, slope < slopeMb, slope.toFixed(2));
  }
  for (const part of ['http, resident', 'helper, resident', 'PAM, resident'] as const) {
    const quarter = SAMPLES / 4;
    const meanOf = (from: number) =>
      samples.slice(from, from + quarter).reduce((sum, sample) => sum + sample[part], 0) / quarter;
    const growth = meanOf(3 * quarter) - meanOf(quarter);
    soak.addFigure(`${part} at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.addFigure(`${part}: growth from the second quarter to the last`, growth, 'MB');
    soak.check(`${part}: grows by less than ${growthMb} MB`, growth < growthMb, growth.toFixed(1));
  }
}
