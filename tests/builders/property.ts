import * as fc from 'fast-check';

/** Every run of the suite tries the same values. */
export const SEED = 20_261_120;

/** Holds a property against a number of tries, the same ones each time. */
export const holds = <T>(property: fc.IProperty<T>, numRuns = 200): void =>
  fc.assert(property, { seed: SEED, numRuns });

/** The same for a property whose tries take more than one turn of the loop. */
export const holdsAsync = <T>(property: fc.IAsyncProperty<T>, numRuns = 100): Promise<void> =>
  fc.assert(property, { seed: SEED, numRuns });
