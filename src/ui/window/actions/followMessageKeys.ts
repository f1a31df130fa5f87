import { scrollIntoViewFor } from '#ui/scrollFor.ts';
import { rowOf } from '#ui/selection/rowOf.ts';

/** The id of the items of the message with the focus. */
const TEXT_ID = 'focused-message-text';
/** Elements that use these keys themselves. A button uses Enter only. */
const OWN_KEYS = 'input, textarea, select, [role="slider"]';

/**
 * Follows a key with which a person moves among the messages: the arrows move the focus to the message above or below, Enter opens the
 * actions of the message with the focus, and Escape returns to the log, which is the only Tab stop of all messages (`followTab`). A message that does not
 * fit into the view is scrolled to its end first.
 */
export function followMessageKeys(
  event: KeyboardEvent,
  log: HTMLElement,
  openActions: (article: HTMLElement) => void,
): void {
  const { target, shiftKey, ctrlKey, altKey, metaKey, isComposing, defaultPrevented } = event;
  if (shiftKey || ctrlKey || altKey || metaKey || isComposing || defaultPrevented) return;
  if (!(target instanceof Element) || target.matches(OWN_KEYS)) return;
  if (actOn(event.key, target, { log, openActions })) event.preventDefault();
}

interface Places {
  readonly log: HTMLElement;
  readonly openActions: (article: HTMLElement) => void;
}

/** Does what a key does; returns `false` for a key that is left to the browser. */
function actOn(key: string, target: Element, { log, openActions }: Places): boolean {
  const article = target.closest<HTMLElement>('article');
  if (key === 'ArrowUp' || key === 'ArrowDown') return move(log, article, key === 'ArrowDown');
  if (article === null) return false;
  if (key === 'Enter' && article === target) openActions(article);
  else if (key === 'Escape' && !isFinding()) log.focus({ preventScroll: true });
  else return false;
  return true;
}

/** Returns whether the find bar is open, whose Escape it is. */
const isFinding = (): boolean => document.querySelector('search') !== null;

/** Moves the focus to the next message; returns whether it did, otherwise the browser scrolls. */
function move(log: HTMLElement, from: HTMLElement | null, isDown: boolean): boolean {
  const view = log.getBoundingClientRect();
  const isInView = (one: HTMLElement) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > view.top + 1 && top < view.bottom - 1;
  };
  // After the view has moved elsewhere, the focus follows it.
  const current = from !== null && isInView(from) ? from : null;
  if (current !== null && reachesBeyond(current, view, isDown)) return false;
  const next =
    current === null ? edgeMessage(log, isInView, isDown) : nextMessage(log, rowOf(current) ?? 0, isDown);
  if (next === null) return false;
  focusMessage(next);
  const isTall = next.offsetHeight > log.clientHeight;
  scrollIntoViewFor(log, next, isTall ? (isDown ? 'start' : 'end') : 'nearest');
  return true;
}

/** Returns whether a message goes on beyond the end of the view to which the focus moves. */
function reachesBeyond(article: HTMLElement, view: DOMRect, isDown: boolean): boolean {
  const { top, bottom, height } = article.getBoundingClientRect();
  return height > view.height && (isDown ? bottom > view.bottom + 1 : top < view.top - 1);
}

/** Returns the first message in the view, or with `isDown` unset the last one. */
function edgeMessage(
  log: HTMLElement,
  isInView: (one: HTMLElement) => boolean,
  isDown: boolean,
): HTMLElement | null {
  const inView = Array.from(log.querySelectorAll('article')).filter(
    (article) => isVisible(article) && isInView(article),
  );
  return inView.at(isDown ? 0 : -1) ?? null;
}

/** Returns the message below a row, or with `isDown` unset above it; one without content is skipped, because the focus would be on nothing. */
function nextMessage(log: HTMLElement, row: number, isDown: boolean): HTMLElement | null {
  const step = isDown ? 1 : -1;
  for (let at = row + step; ; at += step) {
    const article = messageAt(log, at);
    if (article === null || isVisible(article)) return article;
  }
}

/** Returns whether something of a message is visible. */
const isVisible = (article: HTMLElement): boolean => article.querySelector('.item') !== null;

const messageAt = (log: HTMLElement, row: number): HTMLElement | null =>
  log.querySelector<HTMLElement>(`[data-row="${row}"] article`);

/** Moves the focus to a message; screen readers read its sender and its text. */
export function focusMessage(article: HTMLElement): void {
  document.getElementById(TEXT_ID)?.removeAttribute('id');
  const items = article.querySelector('.items');
  if (items !== null) items.id = TEXT_ID;
  article.setAttribute('aria-describedby', TEXT_ID);
  article.tabIndex = -1;
  article.addEventListener('blur', () => article.removeAttribute('aria-describedby'), { once: true });
  article.focus({ preventScroll: true });
}
