import { SCROLLERS } from './watchOverflow.ts';

/** Remembers how far the tables and the code of markup are scrolled; returns a function that scrolls those that replaced them as far. */
export function keepScroll(markup: Element): () => void {
  const before = Array.from(markup.querySelectorAll(SCROLLERS), (one) => one.scrollLeft);
  return () => {
    if (before.every((left) => left === 0)) return;
    for (const [index, scroller] of markup.querySelectorAll(SCROLLERS).entries())
      scroller.scrollLeft = before[index] ?? 0;
  };
}
