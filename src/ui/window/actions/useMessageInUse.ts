import { type RefObject, useEffect, useState } from 'react';
import { followMessageKeys } from './followMessageKeys.ts';
import { followTab } from './followTab.ts';

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
