import { join } from 'node:path';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import type { Benchmark } from '../base/benchmark.ts';
import { writeCaptureFile } from '../base/writeCaptureFile.ts';
import { conversationFrames } from '../base/conversationFrames.ts';
import { withTemporaryFolder } from '../base/withTemporaryFolder.ts';
import { measureMedians } from '../base/measure.ts';

const CAPTURES = 1000;
const FRAMES = 1000;
const FRAME_MS = 40;
const WORKERS = [1, 2] as const;

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

async function verifyAll(captures: readonly string[], workers: number): Promise<void> {
  for await (const { outcome } of verifyCaptures(captures, { workers, workerFile: WORKER_FILE })) {
    if (outcome !== 'same') throw new Error('a capture differs from its golden');
  }
}

/** Verifies captures on one core and on two. */
export const verifyBenchmark: Benchmark = {
  name: 'verify',
  title: `verify: ${CAPTURES} captures of ${FRAMES} frames`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      progress(`writing ${CAPTURES} captures and their goldens`);
      const captures = await writeCaptures(folder);
      const runs = WORKERS.map((workers) => () => verifyAll(captures, workers));
      const [one = Number.NaN, two = Number.NaN] = await measureMedians(runs, progress);
      const rows = [one, two].map((ms, i) => ({
        workers: WORKERS[i] ?? 0,
        seconds: ms / 1000,
        capturesPerSecond: (CAPTURES / ms) * 1000,
        framesPerSecond: ((CAPTURES * FRAMES) / ms) * 1000,
      }));
      const speedUp = {
        name: 'two cores, over one',
        measured: one / two,
        bound: 'at least',
        limit: 1.6,
      } as const;
      return { rows, targets: [speedUp] };
    }),
};
