import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';

const PROGRAM = resolve(import.meta.dirname, '../out/sim/sim.js');
/** A busy machine is slow. */
const LONG_MS = 7_200_000;

test(
  '5000 random histories of the whole system fulfil every check',
  async () => {
    const options = ['--seeds', '5000', '--from', '201'];
    const { code, stdout, stderr } = await runProgram(PROGRAM, options, { NODE_ENV: undefined }).ended;
    const failures = code === 0 ? '' : `${stderr}\n${stdout}`.slice(-8000);
    expect([code, failures]).toEqual([0, '']);
  },
  LONG_MS,
);
