import { type RefObject, useLayoutEffect } from 'react';

/** Sets `data-changed` on those elements that are changed rows. */
function mark(log: HTMLElement, changed: ReadonlySet<string>): void {
  for (const row of log.querySelectorAll<HTMLElement>('[data-row]'))
    row.toggleAttribute('data-changed', changed.has(row.dataset['row'] ?? ''));
}

/** Marks the rows of changed messages, including those of a long list that come into view later. */
export function useChangedRows(log: RefObject<HTMLElement | null>, changed: readonly number[]): void {
  const rows = changed.join();
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    const marked = new Set(rows.split(','));
    mark(element, marked);
    const added = new MutationObserver(() => mark(element, marked));
    added.observe(element, { childList: true, subtree: true });
    return () => added.disconnect();
  }, [log, rows]);
}
