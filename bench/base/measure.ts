import type { Progress } from './benchmark.ts';

type Run<T> = () => T | Promise<T>;

interface Rounds {
  readonly rounds: number;
  readonly progress: Progress;
}

/**
 * Runs tasks in rounds, each task once a round, after a round that does not count. Returns the results by round, in the
 * order of the tasks. A slow moment of the machine affects all tasks, so their ratios are comparable between machines.
 */
export async function runInRounds<T>(
  runs: readonly Run<T>[],
  { rounds, progress }: Rounds,
): Promise<readonly (readonly T[])[]> {
  const all: T[][] = [];
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const results: T[] = [];
    for (const run of runs) results.push(await run());
    if (round > 0) all.push(results);
  }
  return all;
}

const ROUNDS = 5;

/** Returns the median times of tasks in milliseconds, from {@link runInRounds}. */
export async function measureMedians(runs: readonly Run<unknown>[], progress: Progress): Promise<number[]> {
  const timed = runs.map((run) => () => timeOf(run));
  const rounds = await runInRounds(timed, { rounds: ROUNDS, progress });
  return runs.map((_, i) => median(rounds.map((times) => times[i] ?? Number.NaN)));
}

/** Returns how long a task takes in milliseconds. First collects garbage, when Node was started with `--expose-gc`. */
export async function timeOf(run: Run<unknown>): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Returns the median of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
