import type { StepKeys } from '../protocol/protocol.ts';

/** Aligned rows. Row 0 is the state before the first step of both. */
interface Alignment {
  /** For each row, the step of the first session; 0 when the row has none. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

interface Part {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** The largest part, in steps of each session, that is aligned exactly by kind; a larger one is aligned in pieces. */
const MOST_BY_KIND = 400;

/**
 * Aligns the steps of two sessions: at steps with the same key that each session has once (patience), and between these by the longest
 * common sequence of kinds. A step without a counterpart has a row of its own.
 */
export function alignSteps(one: StepKeys, other: StepKeys): Alignment {
  const rows = { a: [0], b: [0] };
  const add = (a: number, b: number) => {
    rows.a.push(a);
    rows.b.push(b);
  };
  const parts: Part[] = [{ aFrom: 1, aTo: one.exact.length, bFrom: 1, bTo: other.exact.length }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    let { aFrom, aTo, bFrom, bTo } = part;
    while (aFrom < aTo && bFrom < bTo && one.exact[aFrom] === other.exact[bFrom]) add(aFrom++, bFrom++);
    const matches = uniqueMatches(one.exact, other.exact, { aFrom, aTo, bFrom, bTo });
    if (matches.length === 0) {
      alignByKind(one.kinds, other.kinds, { part: { aFrom, aTo, bFrom, bTo }, add });
      continue;
    }
    // Splits the part before each match; every part but the first begins with a match.
    for (const [a, b] of matches) {
      parts.push({ aFrom: a, aTo, bFrom: b, bTo });
      [aTo, bTo] = [a, b];
    }
    parts.push({ aFrom, aTo, bFrom, bTo });
  }
  return { a: Uint32Array.from(rows.a), b: Uint32Array.from(rows.b) };
}

type Match = readonly [a: number, b: number];

/** Returns the longest sequence of matches, ascending in both, of keys that each side has once; the last match first. */
function uniqueMatches(a: Uint32Array, b: Uint32Array, { aFrom, aTo, bFrom, bTo }: Part): Match[] {
  const inA = uniquePlaces(a, aFrom, aTo);
  const inB = uniquePlaces(b, bFrom, bTo);
  const matches: Match[] = [];
  for (const [key, place] of inA) {
    const other = inB.get(key) ?? -1;
    if (place >= 0 && other >= 0) matches.push([place, other]);
  }
  return longestAscending(matches);
}

/** Returns the place of each key; -1 for a key that occurs more than once. Keys are in the order of their places. */
function uniquePlaces(keys: Uint32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = from; i < to; i++) {
    const key = keys[i] ?? 0;
    places.set(key, places.has(key) ? -1 : i);
  }
  return places;
}

/** Returns the longest subsequence whose second numbers ascend, the last first; the first numbers already ascend. */
function longestAscending(matches: readonly Match[]): Match[] {
  const ends: number[] = [];
  const previous = new Int32Array(matches.length).fill(-1);
  matches.forEach(([, b], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((matches[ends[middle] ?? 0]?.[1] ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const found: Match[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const match = matches[at];
    if (match !== undefined) found.push(match);
  }
  return found;
}

interface ByKind {
  readonly part: Part;
  readonly add: (a: number, b: number) => void;
}

/** Aligns by the longest common subsequence of kinds, in pieces. */
function alignByKind(a: Uint32Array, b: Uint32Array, { part, add }: ByKind): void {
  const { aTo, bTo } = part;
  let [i, j] = [part.aFrom, part.bFrom];
  while (i < aTo || j < bTo) {
    const [iEnd, jEnd] = [Math.min(aTo, i + MOST_BY_KIND), Math.min(bTo, j + MOST_BY_KIND)];
    const lengthAt = commonLengths(a.subarray(i, iEnd), b.subarray(j, jEnd));
    const [aFrom, bFrom] = [i, j];
    while (i < iEnd || j < jEnd) {
      const isMatch = i < iEnd && j < jEnd && a[i] === b[j];
      if (isMatch) add(i++, j++);
      else if (
        j >= jEnd ||
        (i < iEnd && lengthAt(i + 1 - aFrom, j - bFrom) >= lengthAt(i - aFrom, j + 1 - bFrom))
      )
        add(i++, 0);
      else add(0, j++);
    }
  }
}

/** Returns a function that returns the length of the longest common subsequence from a place in both on. */
function commonLengths(a: Uint32Array, b: Uint32Array): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  return lengthAt;
}

/** One of the two sessions. */
export type Side = 'a' | 'b';

/** The rows of two aligned sessions. Row 0 is the state before the first step of both. */
export interface Rows {
  readonly count: number;
  /** The step of a session in a row; `undefined` when the row has none. */
  stepIn(side: Side, row: number): number | undefined;
  /** The last step of a session at or before a row: its state there. */
  stepAt(side: Side, row: number): number;
  /** The row of a step. */
  rowOf(side: Side, step: number): number;
}

/** Creates the rows of an alignment. */
export function createRows(steps: Alignment): Rows {
  const upTo = { a: upToEach(steps.a), b: upToEach(steps.b) };
  return {
    count: steps.a.length,
    stepIn: (side, row) => (row > 0 && steps[side][row] === 0 ? undefined : steps[side][row]),
    stepAt: (side, row) => upTo[side][row] ?? 0,
    rowOf: (side, step) => upTo[side].indexOf(Math.min(step, upTo[side].at(-1) ?? 0)),
  };
}

function upToEach(steps: Uint32Array): Uint32Array {
  let last = 0;
  return steps.map((step) => (last = step === 0 ? last : step));
}
