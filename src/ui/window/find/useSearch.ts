import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Message } from '#shared/conversation/conversation.ts';
import type { Vector } from '#shared/conversation/vector.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { type Search, type SearchProgress, createSearch } from '#ui/find/createSearch.ts';
import { readMarkup } from '#ui/find/readMarkup.ts';

/** Searches the messages for a text, and again in what changes; re-renders with the progress. */
export function useSearch(
  messages: Vector<Message>,
  text: string,
): { readonly hits: Search['hits']; readonly progress: SearchProgress } {
  const [search] = useState(() => createSearch({ clock: systemClock(globalThis), readMarkup }));
  const progress = useSyncExternalStore(search.subscribe, search.progress, search.progress);
  useEffect(() => search.update(messages, text), [search, messages, text]);
  useEffect(() => search.stop, [search]);
  return { hits: search.hits, progress };
}
