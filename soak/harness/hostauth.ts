import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Soak } from '../scenario.ts';
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
export const memoryOf = (hostauth: Hostauth) => ({
  http: processMemory(hostauth.httpPid()).resident,
  helper: processMemory(hostauth.helperPid).resident,
  PAM: Math.max(0, ...hostauth.pamPids().map((pid) => processMemory(pid).resident)),
});

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
