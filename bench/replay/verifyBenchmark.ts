import { join } from 'node:path';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import type { Benchmark } from '../base/benchmark.ts';
import { writeCaptureFile } from '../base/writeCaptureFile.ts';
import { conversationFrames } from '../base/conversationFrames.ts';
import { withTemporaryFolder } from '../base/withTemporaryFolder.ts';
import { median, runInRounds } from '../base/measure.ts';

const CAPTURES = 6000;
/** The number of captures that are not measured: the workers compile the code in this time, once in a run. */
const WARM_UP = 2000;
const ROUNDS = 5;
const FRAMES = 50;
const FRAME_MS = 40;

/** The measured runs: the fold beside the store, and alone. */
const RUNS = [
  { engine: 'store', workers: 1 },
  { engine: 'store', workers: 2 },
  { engine: 'fold', workers: 1 },
  { engine: 'fold', workers: 2 },
] as const;

type RunOptions = (typeof RUNS)[number];

/** The built worker of the replay tool. */
const WORKER_FILE = join(import.meta.dirname, '..', 'replay', 'verifyWorker.js');

/** Writes captures with the same frames, and their goldens. */
async function writeCaptures(folder: string): Promise<string[]> {
  const texts = conversationFrames(FRAMES);
  const paths = Array.from({ length: CAPTURES }, (_, i) => join(folder, `${i}.parley.jsonl`));
  for (const path of paths) await writeCaptureFile(path, texts, FRAME_MS);
  for await (const _ of verifyCaptures(paths, { update: true, workerFile: WORKER_FILE }));
  return paths;
}

/** Verifies the captures; returns how many of them were verified in a second, after the warm-up. */
async function measureRate(captures: readonly string[], options: RunOptions): Promise<number> {
  let verified = 0;
  let start = Number.NaN;
  for await (const { outcome } of verifyCaptures(captures, { ...options, workerFile: WORKER_FILE })) {
    if (outcome !== 'same') throw new Error('a capture differs from its golden');
    if (++verified === WARM_UP) start = performance.now();
  }
  return ((CAPTURES - WARM_UP) / (performance.now() - start)) * 1000;
}

/** Returns the targets. @param rates captures per second, in the order of the runs. */
const targetsOf = ([storeOne = 0, storeTwo = 0, , foldTwo = 0]: readonly number[]) =>
  [
    { name: 'captures/s on two cores', measured: storeTwo, bound: 'at least', limit: 1000 },
    { name: 'captures/s on two cores, --engine fold', measured: foldTwo, bound: 'at least', limit: 2000 },
    { name: 'two cores, over one', measured: storeTwo / storeOne, bound: 'at least', limit: 1.8 },
  ] as const;

/** Verifies small captures on one core and on two. */
export const verifyBenchmark: Benchmark = {
  name: 'verify',
  title: `verify: ${CAPTURES} captures of ${FRAMES} frames, after the first ${WARM_UP}`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      progress(`writing ${CAPTURES} captures and their goldens`);
      const captures = await writeCaptures(folder);
      const runs = RUNS.map((options) => () => measureRate(captures, options));
      const rounds = await runInRounds(runs, { rounds: ROUNDS, progress });
      const rates = RUNS.map((_, i) => median(rounds.map((all) => all[i] ?? Number.NaN)));
      const rows = RUNS.map(({ engine, workers }, i) => ({
        engine,
        workers,
        capturesPerSecond: rates[i] ?? Number.NaN,
      }));
      return { rows, targets: targetsOf(rates) };
    }),
};
