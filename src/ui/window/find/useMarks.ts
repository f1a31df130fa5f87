import { type RefObject, useEffect, useRef } from 'react';
import type { SearchProgress } from '#ui/find/createSearch.ts';
import { type Marked, watchHits } from '#ui/find/watchHits.ts';

/** Marks the hits in the rows of the conversation that are in the document; returns what is marked now. */
export function useMarks(
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
