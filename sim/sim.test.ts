import { beforeAll, expect, test } from 'vitest';
import { bundlePrograms } from './programs/bundlePrograms.ts';
import { type LoadProgram, programLoader } from './programs/loadProgram.ts';
import { runHistory } from './run/runHistory.ts';

const SEEDS = 200;
/** The histories that found an error, which was mended. */
const FOUND = [341];
/** A busy machine is slow. */
const LONG_MS = 600_000;

let load: LoadProgram;
beforeAll(async () => {
  load = programLoader(await bundlePrograms());
});

const failuresOf = async (seed: number) => (await runHistory(seed, load)).failures;

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++)
      expect(await failuresOf(seed), `npm run sim -- --seed ${seed}`).toEqual([]);
  },
  LONG_MS,
);

test.each(FOUND)(
  'the history of seed %i, which found an error, fulfils every check',
  async (seed) => {
    expect(await failuresOf(seed)).toEqual([]);
  },
  LONG_MS,
);
