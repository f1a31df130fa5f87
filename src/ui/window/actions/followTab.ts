import { focusMessage } from './followMessageKeys.ts';

/** What the Tab key may reach within a message. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, audio[controls], [tabindex]';

/**
 * Follows the Tab key, so that the log is one Tab stop however many links and images its messages have. From the log, Tab leaves it. From the message with the focus,
 * Tab moves to the links and buttons of this message, and then leaves the log. Shift+Tab goes back in the same order, and enters the log as a whole.
 */
export function followTab(event: KeyboardEvent, log: HTMLElement): void {
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
