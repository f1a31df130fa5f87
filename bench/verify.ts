import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import type { Benchmark } from './benchmark.ts';
import { frames } from './frames.ts';

const CAPTURES = 1000;
const FRAMES = 1000;
const ROUNDS = 5;
const WORKERS = [1, 2] as const;

/** The bundle of the replay tool's worker, beside that of the benchmarks. */
const WORKER_FILE = join(import.meta.dirname, '..', 'replay', 'verifyTask.js');

const HEADER = {
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
};

/** The files of so many captures, all of the same frames, with their goldens. */
async function writeCaptures(folder: string): Promise<string[]> {
  const records = frames(FRAMES).map((data, i) => ({ t: i * 40, type: 'recv', data }));
  const text = [HEADER, ...records].map((line) => `${JSON.stringify(line)}\n`).join('');
  const paths = Array.from({ length: CAPTURES }, (_, i) => join(folder, `${i}.parley.jsonl`));
  for (const path of paths) await writeFile(path, text);
  await verifyCaptures(paths, { update: true, workerFile: WORKER_FILE });
  return paths;
}

/** How long it takes to verify them all, milliseconds. */
async function timeOf(captures: readonly string[], workers: number): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  const results = await verifyCaptures(captures, { workers, workerFile: WORKER_FILE });
  const ms = performance.now() - start;
  if (!results.every(({ outcome }) => outcome === 'same'))
    throw new Error('a capture is not as its golden says');
  return ms;
}

/** One core and two by turns, so that a slow moment meets both. */
async function measured(captures: readonly string[], progress: (text: string) => void) {
  const times = WORKERS.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${ROUNDS}`);
    for (const [i, workers] of WORKERS.entries()) {
      const ms = await timeOf(captures, workers);
      if (round > 0) times[i]?.push(ms);
    }
  }
  return times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN);
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Verifying a folder of captures on one core and on two. */
export const verifyBenchmark: Benchmark = {
  name: 'verify',
  title: `verify: ${CAPTURES} captures of ${FRAMES} frames`,
  run: (progress) =>
    inFolder(async (folder) => {
      progress(`writing ${CAPTURES} captures and their goldens`);
      const [one = Number.NaN, two = Number.NaN] = await measured(await writeCaptures(folder), progress);
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
