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
    let { aFrom, bFrom } = part;
    const { aTo, bTo } = part;
    while (aFrom < aTo && bFrom < bTo && one.exact[aFrom] === other.exact[bFrom]) add(aFrom++, bFrom++);
    const rest = { aFrom, aTo, bFrom, bTo };
    const anchors = aFrom < aTo && bFrom < bTo ? uniqueMatches(one.exact, other.exact, rest) : [];
    if (anchors.length === 0) alignByKind(one.kinds, other.kinds, { part: rest, add });
    else parts.push(...split(rest, anchors).toReversed());
  }
  return { a: Uint32Array.from(rows.a), b: Uint32Array.from(rows.b) };
}

type Match = readonly [a: number, b: number];

/** Splits a part before each match; every following part begins with a match. */
function split({ aFrom, aTo, bFrom, bTo }: Part, matches: readonly Match[]): Part[] {
  const starts: Match[] = [[aFrom, bFrom], ...matches];
  return starts.map(([a, b], index) => {
    const [aEnd, bEnd] = starts[index + 1] ?? [aTo, bTo];
    return { aFrom: a, aTo: aEnd, bFrom: b, bTo: bEnd };
  });
}

/** Returns the longest sequence of matches, ascending in both, of keys that each side has once. */
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

/** Returns the longest subsequence whose second numbers ascend; the first ones already do. */
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
  return found.toReversed();
}

interface ByKind {
  readonly part: Part;
  readonly add: (a: number, b: number) => void;
}

function alignByKind(a: Uint32Array, b: Uint32Array, { part, add }: ByKind): void {
  let { aFrom, bFrom } = part;
  const { aTo, bTo } = part;
  while (aFrom < aTo || bFrom < bTo) {
    const piece = {
      aFrom,
      aTo: Math.min(aTo, aFrom + MOST_BY_KIND),
      bFrom,
      bTo: Math.min(bTo, bFrom + MOST_BY_KIND),
    };
    alignPiece(a, b, { part: piece, add });
    ({ aTo: aFrom, bTo: bFrom } = piece);
  }
}

/** Aligns by the longest common subsequence of kinds. */
function alignPiece(a: Uint32Array, b: Uint32Array, { part: { aFrom, aTo, bFrom, bTo }, add }: ByKind): void {
  const [rows, columns] = [aTo - aFrom, bTo - bFrom];
  const width = columns + 1;
  /** The length of the longest common subsequence from a place in both on. */
  const lengths = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[aFrom + i] === b[bFrom + j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    const isMatch = i < rows && j < columns && a[aFrom + i] === b[bFrom + j];
    if (isMatch) add(aFrom + i++, bFrom + j++);
    else if (
      j >= columns ||
      (i < rows && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    )
      add(aFrom + i++, 0);
    else add(0, bFrom + j++);
  }
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
export function createRows({ a, b }: Alignment): Rows {
  const steps = { a, b };
  const upTo = { a: upToEach(a), b: upToEach(b) };
  const places = { a: placesOf(a), b: placesOf(b) };
  return {
    count: a.length,
    stepIn: (side, row) => (row > 0 && steps[side][row] === 0 ? undefined : steps[side][row]),
    stepAt: (side, row) => upTo[side][row] ?? 0,
    rowOf: (side, step) => places[side][step] ?? places[side].at(-1) ?? 0,
  };
}

function upToEach(steps: Uint32Array): Uint32Array {
  let last = 0;
  return steps.map((step) => (last = step === 0 ? last : step));
}

function placesOf(steps: Uint32Array): Uint32Array {
  const places = new Uint32Array(1 + steps.reduce((most, step) => Math.max(most, step), 0));
  steps.forEach((step, row) => {
    if (step !== 0) places[step] = row;
  });
  return places;
}
