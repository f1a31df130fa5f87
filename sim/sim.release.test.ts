import { expect, test } from 'vitest';
import { runSim } from './testing/runSim.ts';

/** A busy machine is slow. */
const LONG_MS = 7_200_000;

test(
  '5000 random histories of the whole system fulfil every check',
  async () => {
    expect(await runSim('--seeds', '5000', '--from', '201')).toEqual({ status: 0, failures: '' });
  },
  LONG_MS,
);
