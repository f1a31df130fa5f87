import { useCallback, useEffect } from 'react';
import { type FindState, type FoundHit, hitReached } from '#shared/window/find.ts';
import type { SearchProgress } from '#ui/find/createSearch.ts';
import { type Direction, isBefore } from '#ui/find/hitList.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import type { Searched } from './searched.ts';
import { useMarks } from './useMarks.ts';
import { useScrollToHit } from './useScrollToHit.ts';
import { useSearch } from './useSearch.ts';
import { useStart } from './useStart.ts';

/** What the find bar shows and does. */
export interface Find {
  readonly progress: SearchProgress;
  /** The number of the current hit, counted from the newest; `undefined` when there is none. */
  readonly current: number | undefined;
  /** Goes to the next hit in a direction; after the last one to the first. */
  readonly step: (direction: Direction) => void;
}

/** Searches the conversation, marks the hits, and scrolls to the current one. The first one is the last one at or above the view. */
export function useFind({ text, hit }: NonNullable<FindState>, { messages, log, list }: Searched): Find {
  const { dispatch } = useWindowActs();
  const { hits, progress } = useSearch(messages, text);
  const start = useStart(hit, log);

  const goTo = useCallback(
    (from: FoundHit, direction: Direction) => {
      const next = hits.next(from, direction);
      if (next === undefined) return;
      const isAhead = direction === 'older' ? isBefore(next, from) : isBefore(from, next);
      // Without a hit ahead, it continues at the other end, which the search must have reached.
      if (isAhead || progress.isComplete) dispatch(hitReached({ hit: next }));
    },
    [dispatch, hits, progress],
  );

  useEffect(() => {
    if (hit !== null || progress.count === 0) return;
    const older = hits.next(start.current, 'older');
    const hasOlder = older !== undefined && isBefore(older, start.current);
    goTo(start.current, hasOlder || !progress.isComplete ? 'older' : 'newer');
  }, [hit, hits, progress, start, goTo]);

  const marked = useMarks({ messages, hits, current: hit }, progress, log);
  useScrollToHit(hit, marked, { log, list });
  return {
    progress,
    current: hit === null ? undefined : hits.numberOf(hit),
    step: (direction) => goTo(hit ?? start.current, direction),
  };
}
