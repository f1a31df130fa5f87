import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { FoundHit } from '#shared/window/find.ts';

/**
 * Returns the place from which the first hit of a text is searched upwards: the end of the view when the bar was opened, later the last
 * current hit, so that a longer text stays at it.
 */
export function useStart(hit: FoundHit | null, log: RefObject<HTMLElement | null>): RefObject<FoundHit> {
  const start = useRef<FoundHit>({ message: Infinity, item: Infinity, start: Infinity });
  useLayoutEffect(() => {
    if (log.current !== null) start.current = { ...start.current, message: lastRowInView(log.current) };
  }, [log]);
  useEffect(() => {
    // The place after its first character: the same hit is found again.
    if (hit !== null) start.current = { ...hit, start: hit.start + 1 };
  }, [hit]);
  return start;
}

function lastRowInView(log: HTMLElement): number {
  const { bottom } = log.getBoundingClientRect();
  const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
  const row = rows.findLast((one) => one.getBoundingClientRect().top < bottom);
  return Number(row?.dataset['row'] ?? 0);
}
