import { type RefObject, useLayoutEffect } from 'react';

/** Calls `adapt` with the element after each change of the elements in it, also of rows that come into view later. */
export function useAfterDrawing(
  ref: RefObject<HTMLElement | null>,
  adapt: (element: HTMLElement) => void,
): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    adapt(element);
    const changes = new MutationObserver(() => adapt(element));
    changes.observe(element, { childList: true, subtree: true });
    return () => changes.disconnect();
  }, [ref, adapt]);
}
