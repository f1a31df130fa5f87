import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = resolve(import.meta.dirname, '../../out/sim/sim.js');

/** Runs the built simulation; resolves to its exit status, and to what it printed when that is not 0. */
export async function runSim(...args: readonly string[]) {
  const { NODE_ENV: _test, ...env } = process.env;
  const sim = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([text(sim.stdout), text(sim.stderr), once(sim, 'close')]);
  return { status: sim.exitCode, failures: sim.exitCode === 0 ? '' : `${errors}\n${out}`.slice(-8000) };
}
