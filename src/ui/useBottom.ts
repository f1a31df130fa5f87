import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { last } from '#shared/conversation/vector.ts';

/** Nearer to the bottom than this, in pixels, is at the bottom. */
const NEAR = 4;

/**
 * Scrolls to the newest message after each update (spec §4.4), and stays there while rows are measured, pictures load
 * or the window changes its size, until somebody scrolls up. `scroller` has one child, which holds all that scrolls.
 */
export function useBottom(conversation: Conversation, scroller: RefObject<HTMLElement | null>): void {
  const { person, messages } = conversation;
  const scrolledFor = useRef<readonly unknown[]>(null);
  const isAtBottom = useRef(true);

  useLayoutEffect(() => {
    // Each update changes one of these; a part of older messages that arrives changes none.
    const updated = [person, last(messages), messages.length];
    const isSame = updated.every((value, index) => value === scrolledFor.current?.[index]);
    if (isSame || scroller.current === null) return;
    scrolledFor.current = updated;
    isAtBottom.current = true;
    toBottom(scroller.current);
  }, [person, messages, scroller]);

  useEffect(() => (scroller.current === null ? undefined : watch(scroller.current, isAtBottom)), [scroller]);
}

const toBottom = (scroller: HTMLElement) => scroller.scrollTo({ top: scroller.scrollHeight });

/** Keeps `isAtBottom` true to what the person did, and follows the bottom when sizes change under somebody who is there. */
function watch(scroller: HTMLElement, isAtBottom: RefObject<boolean>): () => void {
  const sizeNow = () => scroller.scrollHeight - scroller.clientHeight;
  let size = sizeNow();
  const look = () => {
    const isNear = sizeNow() - scroller.scrollTop <= NEAR;
    // While sizes change, it is the bottom that moves away. Only a person leaves a bottom that stays.
    if (isNear || sizeNow() === size) isAtBottom.current = isNear;
  };
  const sizes = new ResizeObserver(() => {
    size = sizeNow();
    if (isAtBottom.current) toBottom(scroller);
  });
  scroller.addEventListener('scroll', look, { passive: true });
  for (const element of [scroller, scroller.firstElementChild]) if (element) sizes.observe(element);
  return () => {
    scroller.removeEventListener('scroll', look);
    sizes.disconnect();
  };
}
