import { dateWith, randomReplacements, replaceProperties } from '../engine/replaceGlobals.ts';

/**
 * The clock and the chance that replayed code may see. Two replays of a reducer that reads one of them then differ for sure, also in the same
 * millisecond.
 */
export interface Surroundings {
  /** Milliseconds since 1970. Each reading is one later. */
  readonly time: number;
  /** Whether the first random number is low. */
  readonly isLow: boolean;
}

/** All parts of the two times differ: the year, the month, the day and so on. */
export const SURROUNDINGS: readonly [Surroundings, Surroundings] = [
  { time: Date.UTC(2001, 1, 3, 4, 5, 6, 7), isLow: true },
  { time: Date.UTC(2034, 10, 26, 17, 48, 59, 500), isLow: false },
];

let current: (Surroundings & { readings: number }) | undefined;

/** Runs a replay whose code sees these surroundings. */
export async function withSurroundings<T>(surroundings: Surroundings, replay: () => Promise<T>): Promise<T> {
  current = { ...surroundings, readings: 0 };
  try {
    return await replay();
  } finally {
    current = undefined;
  }
}

/** Lets replayed code see the surroundings of the replay, if it has some, until the returned function is called. */
export function enterSurroundings(): () => void {
  if (current === undefined) return () => undefined;
  const state = current;
  const { time, isLow } = state;
  const now = () => time + state.readings++;
  const random = () => (isLow === (state.readings++ % 2 === 0) ? 0.0625 : 0.9375);
  return replaceProperties([
    [globalThis, 'Date', dateWith(now)],
    [performance, 'now', () => now() - time / 2],
    ...randomReplacements(random),
  ]);
}
