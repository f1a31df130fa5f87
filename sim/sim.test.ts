import { expect, test } from 'vitest';
import { bundlePrograms } from './programs/bundlePrograms.ts';
import { programLoader } from './programs/loadProgram.ts';
import { runHistory } from './run/runHistory.ts';

const SEEDS = 200;
/** A busy machine is slow. */
const LONG_MS = 600_000;

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    const load = programLoader(await bundlePrograms());
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { failures } = await runHistory(seed, load);
      expect(failures, `npm run sim -- --seed ${seed}`).toEqual([]);
    }
  },
  LONG_MS,
);

test(
  'a history is the same when it runs again',
  async () => {
    const load = programLoader(await bundlePrograms());
    for (const seed of [3, 8, 46]) {
      const [first, second] = [await runHistory(seed, load), await runHistory(seed, load)];
      expect(second.hash, `npm run sim -- --seed ${seed}`).toBe(first.hash);
    }
  },
  LONG_MS,
);
