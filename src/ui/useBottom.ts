import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { last } from '#shared/conversation/vector.ts';
import { SCROLLED_FOR, topRow } from './useListHandle.ts';

/** Maximum distance from the bottom, in pixels, that still counts as the bottom. */
const NEAR = 4;

interface Options {
  readonly conversation: Conversation;
  /** The number of applied updates: an update may leave the conversation unchanged. */
  readonly appliedUpdates: number;
  /** Whether an update keeps the position of a person who has scrolled up. */
  readonly stays: boolean;
  /** Called when the person leaves the bottom, and when the view is there again. */
  readonly onScrolled: OnScrolled;
  /** Set in a picture of a window, which follows it: whether the window was at the bottom. */
  readonly shownAtBottom: boolean | undefined;
}

/**
 * Scrolls to the newest message after each update (spec §4.4; with `stays`, only from there), and stays there while rows are measured, images load or the window is
 * resized, until the person scrolls up. `scroller` has one child, which contains everything that scrolls.
 */
export function useBottom(
  { conversation: { person, messages }, appliedUpdates, stays, onScrolled, shownAtBottom }: Options,
  scroller: RefObject<HTMLElement | null>,
): void {
  const scrolledFor = useRef<readonly unknown[]>(null);
  const intent = useRef<Intent>({ isAtBottom: true, onScrolled });
  useLayoutEffect(() => {
    intent.current.onScrolled = onScrolled;
  });

  useLayoutEffect(() => {
    // Each update changes one of these values; a part with older messages changes none.
    const updated = [appliedUpdates, person, last(messages), messages.length, shownAtBottom];
    const isSame = updated.every((value, index) => value === scrolledFor.current?.[index]);
    if (isSame || scroller.current === null) return;
    scrolledFor.current = updated;
    const isAtBottom = shownAtBottom ?? (!stays || intent.current.isAtBottom);
    // Measured only then: it costs a layout.
    const pulledFrom = isAtBottom && !intent.current.isAtBottom ? topRow(scroller.current) : undefined;
    setAtBottom(intent.current, isAtBottom, pulledFrom);
    if (isAtBottom) toBottom(scroller.current);
  }, [appliedUpdates, person, messages, stays, scroller, shownAtBottom]);

  useEffect(
    () => (scroller.current === null ? undefined : watch(scroller.current, intent.current)),
    [scroller],
  );
}

/** The first row in view, and how far below the top of the view it begins, in pixels. */
type Place = NonNullable<ReturnType<typeof topRow>>;

/** Called when the person scrolls away from the bottom, or back to it; when an update scrolls there, with the place before it. */
export type OnScrolled = (isAtBottom: boolean, pulledFrom?: Place) => void;

interface Intent {
  isAtBottom: boolean;
  onScrolled: OnScrolled;
}

function setAtBottom(intent: Intent, isAtBottom: boolean, pulledFrom?: Place): void {
  if (intent.isAtBottom === isAtBottom) return;
  intent.isAtBottom = isAtBottom;
  intent.onScrolled(isAtBottom, pulledFrom);
}

const toBottom = (scroller: HTMLElement) => scroller.scrollTo({ top: scroller.scrollHeight });

/** Updates the intent when the person scrolls, and stays at the bottom when sizes change. */
function watch(scroller: HTMLElement, intent: Intent): () => void {
  const sizeNow = () => scroller.scrollHeight - scroller.clientHeight;
  let size = sizeNow();
  const isNear = () => sizeNow() - scroller.scrollTop <= NEAR;
  // How far the person has turned the wheel up since the last turn down, in pixels.
  let turned = 0;
  const look = () => {
    // The scroll of the wheel has not begun: this event is of an earlier one.
    if (turned > NEAR && isNear()) return;
    turned = 0;
    // When sizes change, the bottom moves. When they do not, the person has scrolled.
    if (isNear() || sizeNow() === size) setAtBottom(intent, isNear());
  };
  const follow = () => {
    turned = 0;
    setAtBottom(intent, isNear());
  };
  // Not at the scroll event: the browser scrolls some frames later, and until then an update would bring the view back.
  const turn = ({ deltaY, ctrlKey }: WheelEvent) => {
    const isUp = deltaY < 0 && !ctrlKey && scroller.scrollTop > 0;
    turned = isUp ? turned - deltaY : 0;
    if (turned > NEAR) setAtBottom(intent, false);
  };
  const sizes = new ResizeObserver(() => {
    size = sizeNow();
    if (intent.isAtBottom) toBottom(scroller);
  });
  scroller.addEventListener('scroll', look, { passive: true });
  scroller.addEventListener('wheel', turn, { passive: true });
  scroller.addEventListener(SCROLLED_FOR, follow);
  for (const element of [scroller, scroller.firstElementChild]) if (element) sizes.observe(element);
  return () => {
    scroller.removeEventListener('scroll', look);
    scroller.removeEventListener('wheel', turn);
    scroller.removeEventListener(SCROLLED_FOR, follow);
    sizes.disconnect();
  };
}
