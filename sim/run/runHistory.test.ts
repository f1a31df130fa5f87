import { beforeAll, expect, test } from 'vitest';
import { bundlePrograms } from '../programs/bundlePrograms.ts';
import { type LoadProgram, programLoader } from '../programs/loadProgram.ts';
import { runHistory } from './runHistory.ts';

/** A busy machine is slow. */
const LONG_MS = 600_000;

let load: LoadProgram;
beforeAll(async () => {
  load = programLoader(await bundlePrograms());
});

// Apart from the first 100, so that both run at the same time.
test(
  'another 100 random histories of the whole system fulfil every check',
  async () => {
    for (let seed = 101; seed <= 200; seed++) {
      const { failures } = await runHistory(seed, load);
      expect(failures, `npm run sim -- --seed ${seed}`).toEqual([]);
    }
  },
  LONG_MS,
);

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
