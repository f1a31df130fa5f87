import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';

/** Nearer to the bottom than this, in pixels, is at the bottom. */
const NEAR = 4;

interface Options {
  readonly conversation: Conversation;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtual: RefObject<VirtualizerHandle | null>;
}

/**
 * Scrolls to the newest message after each update (spec §4.4), and stays there while pictures load or the window
 * changes its size, until somebody scrolls up.
 */
export function useBottom({ conversation, scroller, virtual }: Options): void {
  const isAtBottom = useRef(true);
  const latest = useRef(conversation);

  useLayoutEffect(() => {
    latest.current = conversation;
    isAtBottom.current = true;
    scrollToNewest({ conversation, scroller, virtual });
  }, [conversation, scroller, virtual]);

  useEffect(() => {
    const stay = () => scrollToNewest({ conversation: latest.current, scroller, virtual });
    return scroller.current === null ? undefined : watch(scroller.current, isAtBottom, stay);
  }, [scroller, virtual]);
}

function scrollToNewest({ conversation: { messages }, scroller, virtual }: Options): void {
  if (messages.length > MESSAGES_IN_DOCUMENT) {
    virtual.current?.scrollToIndex(messages.length - 1, { align: 'end' });
  } else {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }
}

/** Keeps `isAtBottom` true to what the person did, and calls `stay` when sizes changed under somebody at the bottom. */
function watch(scroller: HTMLElement, isAtBottom: RefObject<boolean>, stay: () => void): () => void {
  let top = scroller.scrollTop;
  const look = () => {
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    // Growth below moves the bottom away but never the view upwards: only a person does that.
    if (below <= NEAR) isAtBottom.current = true;
    else if (scroller.scrollTop < top) isAtBottom.current = false;
    top = scroller.scrollTop;
  };
  const sizes = new ResizeObserver(() => {
    if (isAtBottom.current) stay();
  });
  scroller.addEventListener('scroll', look, { passive: true });
  for (const element of [scroller, scroller.firstElementChild]) if (element) sizes.observe(element);
  return () => {
    scroller.removeEventListener('scroll', look);
    sizes.disconnect();
  };
}
