import { scrollFor } from '#ui/useListHandle.ts';

/** The part of the view's height that PageUp and PageDown scroll, as in Chromium. */
const PAGE = 0.875;

/**
 * Scrolls the conversation when Home, End, PageUp or PageDown is pressed without a modifier; returns whether it scrolled. It scrolls in one
 * step: rows that are measured during the browser's animation would move its target, and the animation would be faster than rows are drawn.
 */
export function scrollByKey(event: KeyboardEvent, log: HTMLElement): boolean {
  const { key, target, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
  if (shiftKey || ctrlKey || altKey || metaKey || isComposing || !(target instanceof Element)) return false;
  if (key === 'Home' || key === 'End') {
    // The text box needs these two for its caret.
    if (target.matches('textarea')) return false;
    scrollFor(log, { top: key === 'Home' ? 0 : log.scrollHeight });
    return true;
  }
  if (key !== 'PageUp' && key !== 'PageDown') return false;
  scrollFor(log, { top: log.scrollTop + log.clientHeight * (key === 'PageUp' ? -PAGE : PAGE) });
  return true;
}
