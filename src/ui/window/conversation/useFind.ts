import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { FindState, FoundHit } from '#shared/actions/windowSchemas.ts';
import { type SearchProgress, createSearch } from '#ui/find/createSearch.ts';
import { type Direction, isBefore } from '#ui/find/hitList.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import type { Vector } from '#shared/conversation/vector.ts';
import { systemClock } from '#shared/clock.ts';
import { readMarkup } from '#ui/find/readMarkup.ts';
import type { ListHandle } from '#ui/useListHandle.ts';
import { type Marked, hitRange, watchHits } from '#ui/find/watchHits.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { useWindowState, usePicture } from '../base/Picture.ts';
import { hitReached } from '#shared/actions/windowActions.ts';

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
  const { dispatch } = useWindowCommands();
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

/** Searches the messages for a text, and again in what changes; re-renders with the progress. */
function useSearch(messages: Vector<Message>, text: string) {
  const [search] = useState(() => createSearch({ clock: systemClock(globalThis), readMarkup }));
  const progress = useSyncExternalStore(search.subscribe, search.progress, search.progress);
  useEffect(() => search.update(messages, text), [search, messages, text]);
  useEffect(() => search.stop, [search]);
  return { hits: search.hits, progress };
}

/** The conversation that the find bar searches. */
export interface Searched {
  readonly messages: Vector<Message>;
  readonly log: RefObject<HTMLElement | null>;
  readonly list: RefObject<ListHandle | null>;
}

/**
 * Returns the place from which the first hit of a text is searched upwards: the end of the view when the bar was opened, later the last
 * current hit, so that a longer text stays at it.
 */
function useStart(hit: FoundHit | null, log: RefObject<HTMLElement | null>): RefObject<FoundHit> {
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

/** Marks the hits in the rows of the conversation that are in the document; returns what is marked now. */
function useMarks(
  { messages, hits, current }: Marked,
  progress: SearchProgress,
  log: RefObject<HTMLElement | null>,
): RefObject<Marked> {
  const marked = useRef<Marked>({ messages, hits, current });
  const watched = useRef<ReturnType<typeof watchHits>>(null);
  useEffect(() => {
    if (log.current === null) return undefined;
    watched.current = watchHits(log.current);
    return () => watched.current?.stop();
  }, [log]);
  useEffect(() => {
    marked.current = { messages, hits, current };
    watched.current?.show(marked.current);
    // The hits change with the progress.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [messages, hits, current, progress]);
  return marked;
}

/** Scrolls to the current hit when it changes: to its line, also in a long text. A picture of a window at the bottom stays there. */
function useScrollToHit(
  hit: FoundHit | null,
  marked: RefObject<Marked>,
  { log, list }: Pick<Searched, 'log' | 'list'>,
): void {
  const { isAtBottom } = useWindowState('scroll');
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
