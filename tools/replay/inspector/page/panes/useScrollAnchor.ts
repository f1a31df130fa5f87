import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Shown } from '../session/shownConversation.ts';

const listIn = (picture: HTMLElement | null) => picture?.querySelector('.log') ?? null;

/**
 * Scrolls the list to its end when the conversation changes. Returns a function to call before earlier messages are added above;
 * it keeps the visible messages in view.
 */
export function useScrollAnchor(picture: RefObject<HTMLElement | null>, shown: Shown): () => void {
  const kept = useRef<{ readonly fromEnd: number; readonly before: Shown }>(undefined);
  useLayoutEffect(() => {
    const list = listIn(picture.current);
    if (list === null || kept.current === undefined || kept.current.before === shown) return undefined;
    const { fromEnd } = kept.current;
    kept.current = undefined;
    // Observers run in the order of their creation: this one runs after the list's own, and before the next paint.
    const sizes = new ResizeObserver(() => {
      list.scrollTop = list.scrollHeight - fromEnd;
      sizes.disconnect();
    });
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [picture, shown]);
  return () => {
    const list = listIn(picture.current);
    if (list !== null) kept.current = { fromEnd: list.scrollHeight - list.scrollTop, before: shown };
  };
}
