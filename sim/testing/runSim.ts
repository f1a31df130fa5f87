import { resolve } from 'node:path';
import { runProgram } from '#platform/testing/program.ts';

const PROGRAM = resolve(import.meta.dirname, '../../out/sim/sim.js');

/** Runs the built simulation; resolves to its exit status, and to what it printed when that is not 0. */
export async function runSim(...args: readonly string[]) {
  const { code, stdout, stderr } = await runProgram(PROGRAM, args, { NODE_ENV: undefined }).ended;
  return { status: code, failures: code === 0 ? '' : `${stderr}\n${stdout}`.slice(-8000) };
}
