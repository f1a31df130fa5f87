import type { Progress } from './benchmark.ts';

type Run<T> = () => T | Promise<T>;

interface Rounds {
  readonly rounds: number;
  readonly progress: Progress;
}

/**
 * What some runs give, round by round and in their order. Each runs once unmeasured, then as often as there are rounds,
 * all in turns in one process: a slow moment of the machine meets them all, and their ratios mean the same on another
 * machine.
 */
export async function inTurns<T>(
  runs: readonly Run<T>[],
  { rounds, progress }: Rounds,
): Promise<readonly (readonly T[])[]> {
  const all: T[][] = [];
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const given: T[] = [];
    for (const run of runs) given.push(await run());
    if (round > 0) all.push(given);
  }
  return all;
}

const ROUNDS = 5;

/** The median times of some runs {@link inTurns}, in milliseconds and in their order. */
export async function measure(runs: readonly Run<unknown>[], progress: Progress): Promise<number[]> {
  const timed = runs.map((run) => () => timeOf(run));
  const rounds = await inTurns(timed, { rounds: ROUNDS, progress });
  return runs.map((_, i) => median(rounds.map((times) => times[i] ?? Number.NaN)));
}

/**
 * How long a run takes, in milliseconds. What the run before left behind is collected first, where Node was started with
 * `--expose-gc`.
 */
export async function timeOf(run: Run<unknown>): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The middle one of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
