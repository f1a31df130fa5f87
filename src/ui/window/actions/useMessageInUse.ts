import { type RefObject, useEffect, useState } from 'react';
import { scrollIntoViewFor } from '#ui/useListHandle.ts';
import { rowOf } from '#ui/export/selectedRange.ts';

interface Options {
  readonly log: RefObject<HTMLElement | null>;
  /** Called when Enter is pressed on a message, which is then the one in use. */
  readonly openActions: RefObject<(article: HTMLElement) => void>;
}

/**
 * Returns the message that the person used last: by moving the pointer over it, by touching it, or by moving the focus into it; `null` when
 * there is none.
 */
export function useMessageInUse({ log, openActions }: Options): HTMLElement | null {
  const [message, setMessage] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    const listeners = new AbortController();
    const { signal } = listeners;
    const use = ({ target }: Event) => setMessage(messageOf(target));
    const leave = () => setMessage(messageOf(document.activeElement));
    element.addEventListener('pointerdown', use, { signal });
    // A message that is scrolled under a pointer that rests is not used.
    element.addEventListener('pointermove', (event) => isMoved(event) && use(event), { signal });
    element.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && leave(), { signal });
    element.addEventListener('focusin', use, { signal });
    element.addEventListener('focusout', ({ relatedTarget }) => setMessage(nextInUse(relatedTarget)), {
      signal,
    });
    const open = (article: HTMLElement) => {
      setMessage(article);
      openActions.current(article);
    };
    element.addEventListener('keydown', (event) => followMessageKeys(event, element, open), { signal });
    // The focus may return to a message while a key of its menu is handled.
    document.addEventListener('keydown', (event) => followTab(event, element), { signal });
    return () => listeners.abort();
  }, [log, openActions]);
  return message?.isConnected === true ? message : null;
}

/** Returns the message in use after the focus has left one: the one that receives the focus, or the same one while the pointer is over it. */
const nextInUse = (focused: EventTarget | null) => (message: HTMLElement | null) =>
  messageOf(focused) ?? (message?.matches(':hover') === true ? message : null);

const isMoved = ({ movementX, movementY }: PointerEvent) => movementX !== 0 || movementY !== 0;

const messageOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.log article') : null;

/** The id of the items of the message with the focus. */
const TEXT_ID = 'focused-message-text';
/** Elements that use these keys themselves. A button uses Enter only. */
const OWN_KEYS = 'input, textarea, select, [role="slider"]';

/**
 * Follows a key with which a person moves among the messages: the arrows move the focus to the message above or below, Enter opens the
 * actions of the message with the focus, and Escape returns to the log, which is the only Tab stop of all messages (`followTab`). A message that does not
 * fit into the view is scrolled to its end first.
 */
function followMessageKeys(
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
function focusMessage(article: HTMLElement): void {
  document.getElementById(TEXT_ID)?.removeAttribute('id');
  const items = article.querySelector('.items');
  if (items !== null) items.id = TEXT_ID;
  article.setAttribute('aria-describedby', TEXT_ID);
  article.tabIndex = -1;
  article.addEventListener('blur', () => article.removeAttribute('aria-describedby'), { once: true });
  article.focus({ preventScroll: true });
}

/** What the Tab key may reach within a message. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, audio[controls], [tabindex]';

/**
 * Follows the Tab key, so that the log is one Tab stop however many links and images its messages have. From the log, Tab leaves it. From the message with the focus,
 * Tab moves to the links and buttons of this message, and then leaves the log. Shift+Tab goes back in the same order, and enters the log as a whole.
 */
function followTab(event: KeyboardEvent, log: HTMLElement): void {
  const { key, shiftKey, ctrlKey, altKey, metaKey, defaultPrevented } = event;
  if (key !== 'Tab' || ctrlKey || altKey || metaKey || defaultPrevented) return;
  const { activeElement } = document;
  if (shiftKey) enterAsWhole(log);
  if (activeElement === null || !log.contains(activeElement)) return;
  const article = activeElement.closest<HTMLElement>('article');
  if (article !== null && nextControl(article, activeElement, shiftKey) !== undefined) return;
  if (!shiftKey) startAfter(log);
  else if (article === null || article === activeElement) log.focus({ preventScroll: true });
  else {
    focusMessage(article);
    event.preventDefault();
  }
}

/** Moves the focus from a control of the log to the log, if the key that is being pressed moves it there. Later moves are not changed. */
function enterAsWhole(log: HTMLElement): void {
  const from = document.activeElement?.closest<HTMLElement>('article') ?? null;
  const whole = ({ target }: FocusEvent) => {
    if (target instanceof Element && log.contains(target) && target.closest('article') !== from)
      log.focus({ preventScroll: true });
  };
  // The browser moves the focus at the end of the key's event. The next key may come before a timer.
  document.addEventListener('focusin', whole, { once: true });
  setTimeout(() => document.removeEventListener('focusin', whole));
}

/** Returns the control of a message that follows the focus, or precedes it. */
function nextControl(article: Element, focused: Element, isBefore: boolean): Element | undefined {
  const direction = isBefore ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  return Array.from(article.querySelectorAll<HTMLElement>(CONTROLS)).find(
    (control) =>
      (focused.compareDocumentPosition(control) & direction) !== 0 &&
      control.tabIndex >= 0 &&
      !control.matches(':disabled') &&
      control.checkVisibility(),
  );
}

/** Lets the browser look for the next Tab stop after an element. */
function startAfter(element: Element): void {
  const start = document.createElement('span');
  start.tabIndex = -1;
  element.after(start);
  start.focus({ preventScroll: true });
  start.remove();
}
