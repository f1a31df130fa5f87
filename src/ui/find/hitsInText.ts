import { betweenCharacters } from '#shared/clip.ts';

/** Length of the parts in which a long text is searched, in UTF-16 units. One takes a few milliseconds. */
const PART_LENGTH = 64 * 1024;
/** How far a part's last hit may reach beyond the part, in UTF-16 units. */
const OVERLAP = 16 * 1024;

/**
 * Searches a text; returns the start and the end of each hit, in UTF-16 units, in one list. Hits do not overlap. Yields after each part, so
 * that the search can be interrupted.
 * @param pattern has the flag `g`.
 */
export function* hitsInText(text: string, pattern: RegExp): Generator<void, number[]> {
  const hits: number[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + PART_LENGTH >= text.length ? text.length : betweenCharacters(text, from + PART_LENGTH);
    const part = text.slice(from, to + OVERLAP);
    pattern.lastIndex = 0;
    let end = to;
    for (let hit = pattern.exec(part); hit !== null; hit = pattern.exec(part)) {
      if (from + hit.index >= to) break;
      hits.push(from + hit.index, from + pattern.lastIndex);
      end = Math.max(to, from + pattern.lastIndex);
    }
    from = end;
    yield;
  }
  return hits;
}
