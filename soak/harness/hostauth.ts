import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Soak } from '../run/scenario.ts';
import { followChild } from './children.ts';
import { processMemory } from './processMemory.ts';

/** A running hostauth: the helper, its HTTP process and its PAM processes. */
export interface Hostauth {
  readonly url: string;
  readonly helperPid: number;
  /** 0 while there is none. */
  httpPid(): number;
  pamPids(): readonly number[];
  /** Ends it with SIGTERM; gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built hostauth with these settings; it is stopped with the scenario. */
export async function startHostauth(
  soak: Soak,
  settings: Readonly<Record<string, string>>,
): Promise<Hostauth> {
  const child = spawn(process.execPath, [join(soak.programs, 'hostauth', 'hostauth.js')], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = followChild(child);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  soak.defer(stop);
  const [ready] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('hostauth did not start'))),
  ]);
  const helperPid = child.pid ?? 0;
  const pidsOf = (program: string) =>
    childrenOf(helperPid).filter((pid) => programOf(pid).includes(`${program}.js`));
  return {
    url: String(ready).replace('hostauth is ready at ', ''),
    helperPid,
    httpPid: () => pidsOf('http')[0] ?? 0,
    pamPids: () => pidsOf('pamChild'),
    stop,
  };
}

/** The memory of each kind of process in MB; of the PAM processes, the largest. */
const memoryOf = (hostauth: Hostauth) => ({
  http: processMemory(hostauth.httpPid()).resident,
  helper: processMemory(hostauth.helperPid).resident,
  PAM: Math.max(0, ...hostauth.pamPids().map((pid) => processMemory(pid).resident)),
});

/** Asserts that no process grows from the second quarter of that time to the last one. */
export async function checkMemory(
  soak: Soak,
  hostauth: Hostauth,
  { seconds, growthMb }: { readonly seconds: number; readonly growthMb: number },
): Promise<void> {
  const samples: ReturnType<typeof memoryOf>[] = [];
  const httpPid = hostauth.httpPid();
  const count = 40;
  for (let index = 0; index < count; index++) {
    await pause((seconds / count) * 1000);
    const sample = memoryOf(hostauth);
    samples.push(sample);
    const parts = Object.entries(sample).map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`);
    soak.progress(`${Math.round(((index + 1) / count) * seconds)} of ${seconds} s: ${parts.join(', ')}`);
  }
  soak.check('the HTTP process is never replaced', hostauth.httpPid() === httpPid);
  for (const part of ['http', 'helper', 'PAM'] as const) {
    const mean = (from: number, to: number) =>
      samples.slice(from, to).reduce((sum, sample) => sum + sample[part], 0) / (to - from);
    const growth = mean((count * 3) / 4, count) - mean(count / 4, count / 2);
    soak.figure(`${part}: memory at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.figure(`${part}: growth from the second quarter to the last`, growth, 'MB');
    soak.check(`${part} grows by less than ${growthMb} MB`, growth < growthMb, growth.toFixed(1));
  }
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
