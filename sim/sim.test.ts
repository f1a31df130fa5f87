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

const expectPassed = async (seed: number) => {
  const { failures } = await runHistory(seed, load);
  expect(failures, `npm run sim -- --seed ${seed}`).toEqual([]);
};

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await expectPassed(seed);
  },
  LONG_MS,
);

test.each(FOUND)('the history of seed %i, which found an error, fulfils every check', expectPassed, LONG_MS);

test(
  'a history is the same when it runs again',
  async () => {
    for (const seed of [3, 8, 46]) {
      const [first, second] = [await runHistory(seed, load), await runHistory(seed, load)];
      expect(second.hash, `npm run sim -- --seed ${seed}`).toBe(first.hash);
    }
  },
  LONG_MS,
);
