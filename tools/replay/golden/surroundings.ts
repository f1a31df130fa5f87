import { dateWith, randomReplacements, replaceProperties } from '../engine/replaceGlobals.ts';

/**
 * The clock and the chance that replayed code may see. Two replays of a reducer that reads one of them then differ for sure, also in the same
 * millisecond: all parts of the two times differ, the year, the month, the day and so on. Each reading of the clock is one later. `isLow` says whether
 * the first random number is low.
 */
export const SURROUNDINGS = [
  { time: Date.UTC(2001, 1, 3, 4, 5, 6, 7), isLow: true },
  { time: Date.UTC(2034, 10, 26, 17, 48, 59, 500), isLow: false },
] as const;

type Surroundings = (typeof SURROUNDINGS)[number];

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
