const ROUNDS = 5;

/** Median times in milliseconds. */
export interface Measured {
  readonly run: number;
  readonly reference: number;
}

/**
 * Times `run` beside a `reference` in the same process, so that a ratio of the two means the same on any machine. Both
 * run once unmeasured, then five times in turns, so that a slow moment meets both. What the one before left behind is
 * collected first where Node was started with `--expose-gc`.
 */
export function measure(run: () => unknown, reference: () => unknown): Measured {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
    reference: timeOf(reference),
    run: timeOf(run),
  })).slice(1);
  return {
    run: median(rounds.map((round) => round.run)),
    reference: median(rounds.map((round) => round.reference)),
  };
}

/** What the last run returned stays alive until it has been timed, so that nothing is optimised away. */
let kept: unknown;

function timeOf(run: () => unknown): number {
  kept = undefined;
  globalThis.gc?.();
  const start = performance.now();
  kept = run();
  return performance.now() - start;
}

/** The middle one of an odd number of values. */
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
