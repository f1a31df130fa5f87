import { expect, test } from 'vitest';
import { runSim } from './testing/runSim.ts';

const SEEDS = 200;
/** The histories that found an error, which was mended. */
const FOUND = [341];
/** A busy machine is slow. */
const LONG_MS = 600_000;

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    expect(await runSim('--seeds', String(SEEDS))).toEqual({ status: 0, failures: '' });
  },
  LONG_MS,
);

test.each(FOUND)(
  'the history of seed %i, which found an error, fulfils every check',
  async (seed) => {
    expect(await runSim('--seed', String(seed))).toEqual({ status: 0, failures: '' });
  },
  LONG_MS,
);
