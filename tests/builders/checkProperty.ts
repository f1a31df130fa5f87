import * as fc from 'fast-check';

/** The seed of all property tests: every run of the suite tries the same values. */
export const SEED = 20_261_120;

/** Checks an asynchronous property with `numRuns` values, the same ones each time. @throws when the property fails. */
export const checkAsyncProperty = <T>(property: fc.IAsyncProperty<T>, numRuns = 100): Promise<void> =>
  fc.assert(property, { seed: SEED, numRuns });

type Arbitraries<T extends unknown[]> = { readonly [K in keyof T]: fc.Arbitrary<T[K]> };

/** Checks `numRuns` values of arbitraries, the same ones each time. @throws when a check fails. */
export const checkAll = <T extends unknown[]>(
  numRuns: number,
  all: readonly [...Arbitraries<T>],
  check: (...values: T) => void,
): void =>
  fc.assert(
    fc.property(fc.tuple<T>(...all), (values) => check(...values)),
    { seed: SEED, numRuns },
  );
