const CONTROLS = 'button, input, select, textarea, label, summary, a';
const SCROLLED = '.login, .start-failed, dialog';

/** The conversation can be read as in the window: its links, downloads and texts can be opened. */
const isInConversation = (element: Element): boolean => element.closest('.log') !== null;

/** Returns whether an element is a control of the window, which does nothing in a picture. */
export const isWindowControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(CONTROLS) !== null && !isInConversation(target);

/** Takes the window's controls out of the tab order; what scrolls stays in it. */
export function restrainControls(picture: HTMLElement): void {
  for (const control of picture.querySelectorAll<HTMLElement>(CONTROLS))
    if (!isInConversation(control)) setTabIndex(control, -1);
  for (const scroller of picture.querySelectorAll<HTMLElement>(SCROLLED)) setTabIndex(scroller, 0);
}

/** An attribute that is set again invalidates the styles again. */
function setTabIndex(element: HTMLElement, index: number): void {
  if (element.getAttribute('tabindex') !== String(index)) element.tabIndex = index;
}
