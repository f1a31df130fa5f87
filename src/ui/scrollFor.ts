/** The event at an element that `scrollFor` has scrolled. */
export const SCROLLED_FOR = 'scrolledfor';

/**
 * Scrolls the conversation in one step to where the person wants to be. The conversation stays there while rows are measured. A plain scroll
 * can be lost: the browser reports it one frame later, and until then a row of another size brings the view back to the newest message.
 */
export function scrollFor(log: HTMLElement, to: { readonly top: number }): void {
  log.scrollTo({ top: to.top, behavior: 'instant' });
  log.dispatchEvent(new Event(SCROLLED_FOR));
}

/** Scrolls a message of the conversation into the view, as {@link scrollFor} does. */
export function scrollIntoViewFor(
  log: HTMLElement,
  message: HTMLElement,
  block: ScrollLogicalPosition,
): void {
  message.scrollIntoView({ block });
  log.dispatchEvent(new Event(SCROLLED_FOR));
}
