import diffSequence from '@jest/diff-sequences';
import type { StepKeys } from '../protocol/protocol.ts';

/** One of the two sessions. */
export type Side = 'a' | 'b';

/** For each aligned row, the step of each session; 0 when the row has none. Row 0 is the state before the first step of both. */
type Alignment = Readonly<Record<Side, Uint32Array>>;

/** The largest part, in steps of each session, that is aligned exactly by kind; a larger one is aligned in pieces. */
const MOST_BY_KIND = 400;

/**
 * Aligns the steps of two sessions: at steps with the same key that each session has once (patience), and between these by the longest
 * common sequence of kinds. A step without a counterpart has a row of its own.
 */
export function alignSteps(one: StepKeys, other: StepKeys): Alignment {
  const rows: Record<Side, number[]> = { a: [0], b: [0] };
  const next = { a: 1, b: 1 };
  const put = (a: number, b: number) => {
    rows.a.push(a);
    rows.b.push(b);
  };
  const addPair = () => put(next.a++, next.b++);
  const addApart = (toA: number, toB: number) => {
    while (next.a < toA) put(next.a++, 0);
    while (next.b < toB) put(0, next.b++);
  };
  const addByKind = (toA: number, toB: number) => {
    while (next.a < toA || next.b < toB) {
      const from = { ...next };
      const a = one.kinds.subarray(from.a, Math.min(toA, from.a + MOST_BY_KIND));
      const b = other.kinds.subarray(from.b, Math.min(toB, from.b + MOST_BY_KIND));
      for (const [atA, atB] of commonSequence(a, b)) {
        addApart(from.a + atA, from.b + atB);
        addPair();
      }
      addApart(from.a + a.length, from.b + b.length);
    }
  };
  /** Adds the steps before these. */
  const add = (toA: number, toB: number) => {
    while (next.a < toA && next.b < toB && one.exact[next.a] === other.exact[next.b]) addPair();
    if (next.a === toA || next.b === toB) return addApart(toA, toB);
    const matches = uniqueMatches(one.exact.subarray(next.a, toA), other.exact.subarray(next.b, toB));
    if (matches.length === 0) return addByKind(toA, toB);
    const from = { ...next };
    for (const [atA, atB] of matches) {
      add(from.a + atA, from.b + atB);
      addPair();
    }
    return add(toA, toB);
  };
  add(one.exact.length, other.exact.length);
  return { a: Uint32Array.from(rows.a), b: Uint32Array.from(rows.b) };
}

type Match = readonly [atA: number, atB: number];

/** Returns the places of a longest common subsequence, ascending. */
function commonSequence(a: ArrayLike<number>, b: ArrayLike<number>): Match[] {
  const matches: Match[] = [];
  diffSequence(
    a.length,
    b.length,
    (atA, atB) => a[atA] === b[atB],
    (count, atA, atB) => {
      for (let i = 0; i < count; i++) matches.push([atA + i, atB + i]);
    },
  );
  return matches;
}

/** Returns the longest sequence of matches, ascending in both, of keys that each side has once. */
function uniqueMatches(a: Uint32Array, b: Uint32Array): Match[] {
  const inB = uniquePlaces(b);
  return longestAscending(
    [...uniquePlaces(a)].flatMap(([key, atA]): Match[] => {
      const atB = inB.get(key);
      return atB === undefined ? [] : [[atA, atB]];
    }),
  );
}

/** Returns the longest sequence of matches that ascends in its second places; the first ones ascend already. Takes n log n steps in any order. */
function longestAscending(matches: readonly Match[]): Match[] {
  interface End {
    readonly match: Match;
    readonly before: End | undefined;
  }
  /** The end of the best sequence of each length. */
  const ends: End[] = [];
  for (const match of matches) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle]?.match[1] ?? 0) < match[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { match, before: ends[low - 1] };
  }
  const found: Match[] = [];
  for (let end = ends.at(-1); end !== undefined; end = end.before) found.push(end.match);
  return found.toReversed();
}

/** Returns the place of each key that occurs once, in the order of the places. */
function uniquePlaces(keys: Uint32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  keys.forEach((key, at) => (places.has(key) ? repeated.add(key) : places.set(key, at)));
  for (const key of repeated) places.delete(key);
  return places;
}

/** The rows of two aligned sessions. */
export type Rows = ReturnType<typeof createRows>;

/** Creates the rows of an alignment. */
export function createRows(steps: Alignment) {
  const upTo = { a: upToEach(steps.a), b: upToEach(steps.b) };
  return {
    count: steps.a.length,
    /** Returns the step of a session in a row; `undefined` when the row has none. */
    stepIn: (side: Side, row: number) => (row > 0 && steps[side][row] === 0 ? undefined : steps[side][row]),
    /** Returns the last step of a session at or before a row: its state there. */
    stepAt: (side: Side, row: number) => upTo[side][row] ?? 0,
    /** Returns the row of a step. */
    rowOf: (side: Side, step: number) => upTo[side].indexOf(Math.min(step, upTo[side].at(-1) ?? 0)),
  };
}

function upToEach(steps: Uint32Array): Uint32Array {
  let last = 0;
  return steps.map((step) => (last = step === 0 ? last : step));
}
