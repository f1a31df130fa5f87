const ROUNDS = 5;

/**
 * The median times of some runs, in milliseconds and in their order. Each runs once unmeasured, then five times, all in
 * turns in one process: a slow moment of the machine meets them all, and their ratios mean the same on another machine.
 * What the run before left behind is collected first, where Node was started with `--expose-gc`.
 */
export function measure(runs: readonly (() => unknown)[], progress: (text: string) => void): number[] {
  progress('warming up');
  runs.forEach(timeOf);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    progress(`round ${round + 1} of ${ROUNDS}`);
    return runs.map(timeOf);
  });
  return runs.map((_, i) => median(rounds.map((round) => round[i] ?? Number.NaN)));
}

function timeOf(run: () => unknown): number {
  globalThis.gc?.();
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** The middle one of an odd number of values. */
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
