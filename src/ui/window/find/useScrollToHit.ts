import { type RefObject, useEffect } from 'react';
import type { FoundHit } from '#shared/window/find.ts';
import { type Marked, hitRange } from '#ui/find/watchHits.ts';
import { usePicture } from '../base/Picture.ts';
import { useOwn } from '../base/useOwn.ts';
import type { Searched } from './searched.ts';

/** Scrolls to the current hit when it changes: to its line, also in a long text. A picture of a window at the bottom stays there. */
export function useScrollToHit(
  hit: FoundHit | null,
  marked: RefObject<Marked>,
  { log, list }: Pick<Searched, 'log' | 'list'>,
): void {
  const { isAtBottom } = useOwn('scroll');
  const stays = usePicture() !== null && isAtBottom;
  useEffect(() => {
    if (hit === null || stays || log.current === null) return;
    const element = log.current;
    const place = (row: HTMLElement | null) => {
      const range = hitRange(element, marked.current, hit);
      return (range ?? row?.querySelectorAll('[data-kind]')[hit.item])?.getBoundingClientRect() ?? null;
    };
    const now = place(null);
    const { top, bottom } = element.getBoundingClientRect();
    const isInView = now !== null && now.top >= top && now.bottom <= bottom;
    list.current?.scrollToRow(hit.message, isInView ? 'nearest' : 'center', place);
  }, [hit, list, log, marked, stays]);
}
