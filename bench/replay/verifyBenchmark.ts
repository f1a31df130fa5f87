import { join } from 'node:path';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import type { Benchmark } from '../base/benchmark.ts';
import { writeCaptureFile } from '../base/writeCaptureFile.ts';
import { conversationFrames } from '../base/conversationFrames.ts';
import { withTemporaryFolder } from '../base/withTemporaryFolder.ts';
import { measureMedians } from '../base/measure.ts';

const CAPTURES = 3000;
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

async function verifyAll(captures: readonly string[], options: RunOptions): Promise<void> {
  for await (const { outcome } of verifyCaptures(captures, { ...options, workerFile: WORKER_FILE })) {
    if (outcome !== 'same') throw new Error('a capture differs from its golden');
  }
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
  title: `verify: ${CAPTURES} captures of ${FRAMES} frames`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      progress(`writing ${CAPTURES} captures and their goldens`);
      const captures = await writeCaptures(folder);
      const runs = RUNS.map((options) => () => verifyAll(captures, options));
      const times = await measureMedians(runs, progress);
      const rates = times.map((ms) => (CAPTURES / ms) * 1000);
      const rows = RUNS.map(({ engine, workers }, i) => ({
        engine,
        workers,
        seconds: (times[i] ?? Number.NaN) / 1000,
        capturesPerSecond: rates[i] ?? Number.NaN,
      }));
      return { rows, targets: targetsOf(rates) };
    }),
};
