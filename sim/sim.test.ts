import { expect, test } from 'vitest';
import { bundlePrograms } from './programs/bundlePrograms.ts';
import { programLoader } from './programs/loadProgram.ts';
import { runHistory } from './run/runHistory.ts';

/** A busy machine is slow. */
const LONG_MS = 600_000;

test(
  '100 random histories of the whole system fulfil every check',
  async () => {
    const load = programLoader(await bundlePrograms());
    for (let seed = 1; seed <= 100; seed++) {
      const { failures } = await runHistory(seed, load);
      expect(failures, `npm run sim -- --seed ${seed}`).toEqual([]);
    }
  },
  LONG_MS,
);
