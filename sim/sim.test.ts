import { expect, test } from 'vitest';
import { runSim } from './testing/runSim.ts';

const SEEDS = 200;
/** A busy machine is slow. */
const LONG_MS = 600_000;

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    expect(await runSim('--seeds', String(SEEDS))).toEqual({ status: 0, failures: '' });
  },
  LONG_MS,
);
