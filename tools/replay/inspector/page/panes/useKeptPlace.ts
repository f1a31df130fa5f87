import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Shown } from '../session/shownConversation.ts';

/**
 * The list goes to its end whenever the conversation is another. When earlier messages come in above, what was in view
 * stays in view: the function that is given, called before, sees to that.
 */
export function useKeptPlace(log: RefObject<HTMLElement | null>, shown: Shown): () => void {
  const kept = useRef<{ readonly fromEnd: number; readonly before: Shown }>(undefined);
  useLayoutEffect(() => {
    const list = log.current;
    if (list === null || kept.current === undefined || kept.current.before === shown) return undefined;
    const { fromEnd } = kept.current;
    kept.current = undefined;
    // Observers are told in the order in which they were made: after the list's own, and before anything is painted.
    const sizes = new ResizeObserver(() => {
      list.scrollTop = list.scrollHeight - fromEnd;
      sizes.disconnect();
    });
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [log, shown]);
  return () => {
    const list = log.current;
    if (list !== null) kept.current = { fromEnd: list.scrollHeight - list.scrollTop, before: shown };
  };
}
