import { parleyApp } from '#replay/parley/parleyApp.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import { type Benchmark, type Target, median, runInRounds, withTemporaryFolder } from '../base/benchmark.ts';
import { conversationFrames, parseFile, writeCaptureFile } from '../base/captures.ts';

/** The number of captures for each worker. */
const CAPTURES = 4000;
/** The number of captures of each worker that are not measured: it compiles the code in this time, once in a run. */
const WARM_UP = 2000;
const ROUNDS = 3;
const FRAMES = 50;
const FRAME_MS = 40;
/** The number of frames of the capture that is only parsed. */
const PARSED = 100_000;

/** The measured runs. */
const RUNS = ['JSON.parse alone', '1 worker', '2 workers'];

/** The built worker of the replay tool. */
const WORKER_FILE = join(import.meta.dirname, '..', 'replay', 'verifyWorker.js');

/** Writes captures with the same frames, and their goldens. */
async function writeCaptures(folder: string): Promise<string[]> {
  const texts = conversationFrames(FRAMES);
  const paths = Array.from({ length: CAPTURES }, (_, i) => join(folder, `${i}.parley.jsonl`));
  for (const path of paths) await writeCaptureFile(path, texts, FRAME_MS);
  for await (const _ of verifyCaptures(paths, { own: parleyApp, update: true, workerFile: WORKER_FILE }));
  return paths;
}

interface Speed {
  readonly capturesPerSecond: number;
  /** The processor time of this process and its workers, divided by the time: with less than one for each worker, the machine had other work. */
  readonly cores: number;
}

/** Clock ticks of Linux in a second. */
const TICKS = 100;

/** Returns the processor time of this process and its workers, in seconds. Reads Linux's `/proc`. */
function processorSeconds(): number {
  const tasks = readdirSync('/proc/self/task').map((task) => `/proc/self/task/${task}/children`);
  const workers = tasks.flatMap((file) => readFileSync(file, 'utf8').trim().split(' '));
  const ticks = ['self', ...workers.filter((pid) => pid !== '')].map((pid) => {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS;
}

/** Verifies the captures, once for each worker; measures after the warm-up. */
async function measureSpeed(captures: readonly string[], workers: number): Promise<Speed> {
  const all = Array.from({ length: workers }, () => captures).flat();
  const warmUp = workers * WARM_UP;
  let verified = 0;
  let start = Number.NaN;
  let cpuAtStart = 0;
  let cpuAtEnd = 0;
  for await (const { outcome } of verifyCaptures(all, { own: parleyApp, workers, workerFile: WORKER_FILE })) {
    if (outcome !== 'same') throw new Error('a capture differs from its golden');
    if (++verified === all.length) cpuAtEnd = processorSeconds();
    if (verified !== warmUp) continue;
    start = performance.now();
    cpuAtStart = processorSeconds();
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    capturesPerSecond: (all.length - warmUp) / seconds,
    cores: (cpuAtEnd - cpuAtStart) / seconds,
  };
}

/** Only parses a long capture, on one core: what the machine can do in this round. */
async function measureParse(path: string): Promise<Speed> {
  const start = performance.now();
  await parseFile(path);
  return { capturesPerSecond: ((PARSED / FRAMES) * 1000) / (performance.now() - start), cores: 1 };
}

/** Returns the targets. @param rounds the speeds by round, in the order of {@link RUNS}. */
function targetsOf(rounds: readonly (readonly Speed[])[]): Target[] {
  const rates = rounds.map((speeds) => speeds.map(({ capturesPerSecond }) => capturesPerSecond));
  const ratio = (of: number, to: number) =>
    median(rates.map((round) => (round[of] ?? Number.NaN) / (round[to] ?? Number.NaN)));
  return [
    {
      name: 'captures/s on two cores',
      measured: median(rates.map((round) => round[2] ?? Number.NaN)),
      bound: 'at least',
      limit: 1000,
    },
    {
      // 1,000 captures/s where `JSON.parse` reads 480,000 frames/s.
      name: 'two workers, of JSON.parse alone in the same round',
      measured: ratio(2, 0),
      bound: 'at least',
      limit: 0.104,
    },
    { name: 'two workers, over one in the same round', measured: ratio(2, 1), bound: 'at least', limit: 1.8 },
  ];
}

const medianOf = (speeds: readonly Speed[], field: keyof Speed): number =>
  median(speeds.map((speed) => speed[field]));

/** Verifies small captures on one core and on two. */
export const verifyBenchmark: Benchmark = {
  title: `verify: ${CAPTURES - WARM_UP} captures of ${FRAMES} frames for each worker, after its first ${WARM_UP}`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      progress(`writing ${CAPTURES} captures and their goldens`);
      const captures = await writeCaptures(folder);
      const long = join(folder, 'long.parley.jsonl');
      await writeCaptureFile(long, conversationFrames(PARSED));
      const runs = [
        () => measureParse(long),
        () => measureSpeed(captures, 1),
        () => measureSpeed(captures, 2),
      ];
      const rounds = await runInRounds(runs, { rounds: ROUNDS, progress });
      const rows = RUNS.map((what, i) => {
        const speeds = rounds.flatMap((round) => round[i] ?? []);
        return {
          what,
          capturesPerSecond: medianOf(speeds, 'capturesPerSecond'),
          cores: medianOf(speeds, 'cores'),
        };
      });
      return { rows, targets: targetsOf(rounds) };
    }),
};
