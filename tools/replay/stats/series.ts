/** A value for each second of a session, merged into fewer parts for a long session. */
interface Series {
  /** The length of a part, milliseconds. */
  readonly everyMs: number;
  readonly values: readonly number[];
}

const SECOND_MS = 1000;
const EVERY_S = [1, 2, 5, 10, 30, 60, 300, 600, 3600, 21_600, 86_400];

/** Collects values by second; `merge` combines the values of one second or part. */
export interface Seconds {
  add(ms: number, value: number): void;
  /** The highest value of a second. */
  highest(): number;
  /** Returns the parts up to `ms`; at most `most` (more only for a session of years). */
  series(ms: number, most: number): Series;
}

/** Creates a series with one value for each second; `merge` combines values of the same second. */
export function bySecond(merge: (a: number, b: number) => number): Seconds {
  const values = new Map<number, number>();
  const put = (into: Map<number, number>, slot: number, value: number) => {
    const before = into.get(slot);
    into.set(slot, before === undefined ? value : merge(before, value));
  };
  return {
    add: (ms, value) => put(values, Math.floor(ms / SECOND_MS), value),
    highest: () => [...values.values()].reduce((a, b) => Math.max(a, b), 0),
    series(ms, most) {
      const seconds = Math.floor(ms / SECOND_MS) + 1;
      const every = EVERY_S.find((s) => seconds / s <= most) ?? Math.ceil(seconds / most);
      const merged = new Map<number, number>();
      for (const [second, value] of values) put(merged, Math.floor(second / every), value);
      const parts = Array.from({ length: Math.ceil(seconds / every) }, (_, i) => merged.get(i) ?? 0);
      return { everyMs: every * SECOND_MS, values: parts };
    },
  };
}
