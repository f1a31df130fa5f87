import type { FoundHit } from '#shared/actions/windowSchemas.ts';

/** The direction of a step from one hit to the next. */
export type Direction = 'older' | 'newer';

/** A place in a message. */
type Place = Pick<FoundHit, 'item' | 'start'>;

const isEarlier = (a: Place, b: Place): boolean =>
  a.item < b.item || (a.item === b.item && a.start < b.start);

/** Returns whether a place is before another one. */
export const isBefore = (a: FoundHit, b: FoundHit): boolean =>
  a.message < b.message || (a.message === b.message && isEarlier(a, b));

/** The start and the end of a hit, or of a part, in the text of its item. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A hit in a message. */
export interface Hit extends Span {
  /** The index of its item. */
  readonly item: number;
}

const WHOLE: Span = { start: 0, end: Infinity };

const foundHit = (message: number, hit: Hit | undefined): FoundHit | undefined =>
  hit && { message, item: hit.item, start: hit.start };

/** The hits of a search. */
export type Hits = Omit<ReturnType<typeof hitList>, 'set' | 'shorten' | 'clear'>;

/** Creates an empty list of hits. */
export function hitList() {
  /** The hits of each message, in the order of its text; `undefined` where there are none. */
  let rows: (readonly Hit[] | undefined)[] = [];
  let total = 0;
  const foundIn = (message: number): readonly Hit[] => rows[message] ?? [];
  const indexOf = ({ message, item, start }: FoundHit): number =>
    foundIn(message).findIndex((hit) => hit.item === item && hit.start === start);
  /** Replaces the hits in a message. */
  const set = (message: number, found: readonly Hit[]): void => {
    total += found.length - foundIn(message).length;
    rows[message] = found.length === 0 ? undefined : found;
  };
  return {
    set,
    /** Removes the hits in the messages from `length` on. */
    shorten(length: number): void {
      for (let row = length; row < rows.length; row++) set(row, []);
      rows.length = Math.min(rows.length, length);
    },
    clear(): void {
      rows = [];
      total = 0;
    },
    count: (): number => total,
    /** Returns whether a message has hits. */
    has: (message: number): boolean => rows[message] !== undefined,
    /** Returns the hits in an item that begin in a part of it, by default in all of it. */
    in: (message: number, item: number, part = WHOLE): readonly Span[] =>
      foundIn(message).filter((hit) => hit.item === item && hit.start >= part.start && hit.start < part.end),
    /** Returns the end of a hit; `undefined` when it is no hit any more. */
    endOf: (hit: FoundHit): number | undefined => foundIn(hit.message)[indexOf(hit)]?.end,
    /** Returns the number of a hit, counted from the newest one, which is 1; `undefined` when it is no hit any more. */
    numberOf(hit: FoundHit): number | undefined {
      const at = indexOf(hit);
      if (at === -1) return undefined;
      const newer = rows.slice(hit.message + 1);
      return newer.reduce((sum, found) => sum + (found?.length ?? 0), foundIn(hit.message).length - at);
    },
    /** Returns the nearest hit before or after a place, which need not be a hit; after the last one the first one again. */
    next(from: FoundHit, direction: Direction): FoundHit | undefined {
      if (direction === 'older') {
        const before = foundIn(from.message).findLast((hit) => isEarlier(hit, from));
        if (before) return foundHit(from.message, before);
        const row = rows.findLastIndex((found, at) => found !== undefined && at < from.message);
        const other = row === -1 ? rows.findLastIndex((found) => found !== undefined) : row;
        return foundHit(other, foundIn(other).at(-1));
      }
      const after = foundIn(from.message).find((hit) => isEarlier(from, hit));
      if (after) return foundHit(from.message, after);
      const row = rows.findIndex((found, at) => found !== undefined && at > from.message);
      const other = row === -1 ? rows.findIndex((found) => found !== undefined) : row;
      return foundHit(other, foundIn(other)[0]);
    },
  };
}
