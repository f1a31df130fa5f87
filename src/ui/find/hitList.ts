import type { FoundHit } from '#shared/actions/windowSchemas.ts';

/** The direction of a step from one hit to the next. */
export type Direction = 'older' | 'newer';

/** Returns whether a place is before another one. */
export const isBefore = (a: FoundHit, b: FoundHit): boolean =>
  a.message < b.message ||
  (a.message === b.message && (a.item < b.item || (a.item === b.item && a.start < b.start)));

/** The start and the end of a hit, or of a part, in the text of its item. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The hits of a search. */
export interface Hits {
  count(): number;
  /** Returns whether a message has hits. */
  has(message: number): boolean;
  /** Returns the hits in an item that begin in a part of it, by default in all of it. */
  in(message: number, item: number, part?: Span): readonly Span[];
  /** Returns the end of a hit; `undefined` when it is no hit any more. */
  endOf(hit: FoundHit): number | undefined;
  /** Returns the number of a hit, counted from the newest one, which is 1; `undefined` when it is no hit any more. */
  numberOf(hit: FoundHit): number | undefined;
  /** Returns the nearest hit before or after a place, which need not be a hit; after the last one the first one again. */
  next(from: FoundHit, direction: Direction): FoundHit | undefined;
}

interface HitList extends Hits {
  /** Replaces the hits in a message: the item, the start and the end of each one, in the order of the text. */
  set(message: number, found: Found): void;
  /** Removes the hits in the messages from `length` on. */
  shorten(length: number): void;
  clear(): void;
}

/** The item, the start and the end of each hit in a message, in one list: a search may have a million hits. */
type Found = readonly number[];
/** Number of values for each hit. */
const FIELDS = 3;
const NONE: Found = [];
const WHOLE: Span = { start: 0, end: Infinity };

/** Creates an empty list of hits. */
export function hitList(): HitList {
  let rows: (Found | undefined)[] = [];
  let total = 0;
  const set = (message: number, found: Found) => {
    total += (found.length - foundIn(rows, message).length) / FIELDS;
    rows[message] = found.length === 0 ? undefined : found;
  };
  return {
    set,
    count: () => total,
    has: (message) => rows[message] !== undefined,
    in: (message, item, part = WHOLE) => spansIn(foundIn(rows, message), item, part),
    endOf(hit) {
      const at = indexOf(rows, hit);
      return at === undefined ? undefined : foundIn(rows, hit.message)[at + 2];
    },
    numberOf(hit) {
      const at = indexOf(rows, hit);
      if (at === undefined) return undefined;
      let values = foundIn(rows, hit.message).length - at;
      for (let row = hit.message + 1; row < rows.length; row++) values += foundIn(rows, row).length;
      return values / FIELDS;
    },
    next: (from, direction) => (direction === 'older' ? nextOlder(rows, from) : nextNewer(rows, from)),
    shorten(length) {
      for (let row = length; row < rows.length; row++) set(row, NONE);
      rows.length = Math.min(rows.length, length);
    },
    clear() {
      rows = [];
      total = 0;
    },
  };
}

/** The hits of each message; `undefined` where there are none. */
type Rows = readonly (Found | undefined)[];

const foundIn = (rows: Rows, message: number): Found => rows[message] ?? NONE;

/** Returns the index of a hit in the list of its message; `undefined` when it is no hit any more. */
function indexOf(rows: Rows, { message, item, start }: FoundHit): number | undefined {
  const found = foundIn(rows, message);
  const at = indexFrom(found, item, start);
  return found[at] === item && found[at + 1] === start ? at : undefined;
}

function spansIn(found: Found, item: number, part: Span): readonly Span[] {
  const spans: Span[] = [];
  for (let at = indexFrom(found, item, part.start); found[at] === item; at += FIELDS) {
    const [start = 0, end = 0] = [found[at + 1], found[at + 2]];
    if (start >= part.end) break;
    spans.push({ start, end });
  }
  return spans;
}

function nextOlder(rows: Rows, { message, item, start }: FoundHit): FoundHit | undefined {
  const found = foundIn(rows, message);
  const at = indexFrom(found, item, start);
  if (at > 0) return hitAt(message, found, at - FIELDS);
  return lastBefore(rows, message) ?? lastBefore(rows, rows.length);
}

function nextNewer(rows: Rows, from: FoundHit): FoundHit | undefined {
  const found = foundIn(rows, from.message);
  const at = indexOf(rows, from);
  const after = at === undefined ? indexFrom(found, from.item, from.start) : at + FIELDS;
  if (after < found.length) return hitAt(from.message, found, after);
  return firstFrom(rows, from.message + 1) ?? firstFrom(rows, 0);
}

/** Returns the index of the first hit at or after a place, by a binary search; the length when there is none. */
function indexFrom(found: Found, item: number, start: number): number {
  let [low, high] = [0, found.length / FIELDS];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [of = 0, begin = 0] = [found[middle * FIELDS], found[middle * FIELDS + 1]];
    if (of < item || (of === item && begin < start)) low = middle + 1;
    else high = middle;
  }
  return low * FIELDS;
}

function lastBefore(rows: Rows, end: number): FoundHit | undefined {
  for (let row = Math.min(end, rows.length) - 1; row >= 0; row--) {
    const found = rows[row];
    if (found !== undefined) return hitAt(row, found, found.length - FIELDS);
  }
  return undefined;
}

function firstFrom(rows: Rows, start: number): FoundHit | undefined {
  for (let row = start; row < rows.length; row++) {
    const found = rows[row];
    if (found !== undefined) return hitAt(row, found, 0);
  }
  return undefined;
}

const hitAt = (message: number, found: Found, at: number): FoundHit => ({
  message,
  item: found[at] ?? 0,
  start: found[at + 1] ?? 0,
});
