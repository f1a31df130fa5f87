import { expect, test } from 'vitest';
import { bundlePrograms } from './programs/bundlePrograms.ts';
import { programLoader } from './programs/loadProgram.ts';
import { runHistory } from './run/runHistory.ts';

const FROM = 201;
const SEEDS = 5000;
/** A busy machine is slow. */
const LONG_MS = 7_200_000;

test(
  `${SEEDS} random histories of the whole system fulfil every check`,
  async () => {
    const load = programLoader(await bundlePrograms());
    for (let seed = FROM; seed < FROM + SEEDS; seed++) {
      const { failures } = await runHistory(seed, load);
      expect(failures, `npm run sim -- --seed ${seed}`).toEqual([]);
    }
  },
  LONG_MS,
);
