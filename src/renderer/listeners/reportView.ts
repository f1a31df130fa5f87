import {
  scrollRested,
  pageResized,
  placeLeft,
  placeReturned,
  expansionChanged,
} from '#shared/actions/windowActions.ts';
import { limitText, type Expansion } from '#shared/actions/windowSchemas.ts';
import type { Clock } from '#shared/clock.ts';
import { type Conversation, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { topRow } from '#ui/useListHandle.ts';
import { createRest } from '../commands/createRest.ts';
import { showsConversation, type WindowStateStore } from '../store/windowStateStore.ts';

interface ScrollStore extends Pick<WindowStateStore, 'dispatch'> {
  readonly getState: () => Pick<ShownState, 'conversation' | 'own'>;
}

/** Follows the place to which the person has scrolled the conversation: the message at the top of the view when it rests. */
export function reportScroll(
  target: Pick<Window, 'addEventListener'>,
  { getState, dispatch }: ScrollStore,
  clock: Pick<Clock, 'after'>,
): void {
  const rest = createRest(clock);
  const look = (log: HTMLElement) => {
    const { own, conversation } = getState();
    const top = log.isConnected && !own.scroll.isAtBottom ? topRow(log) : undefined;
    if (top === undefined) return;
    const { id = '' } = itemAt(conversation.messages, top.index) ?? {};
    const offset = Math.round(top.offset);
    const before = own.scrolledTo;
    if (before?.message === top.index && before.id === id && before.offset === offset) return;
    dispatch(scrollRested({ message: top.index, id, offset }));
  };
  const scrolled = ({ target: log }: Event) => {
    if (log instanceof HTMLElement && log.matches('[role="log"]')) rest.after(() => look(log));
  };
  // Scrolling is an event of the log only: it does not bubble.
  target.addEventListener('scroll', scrolled, { capture: true, passive: true });
}

/** The part of a window that has a size. A zoom of the page changes it too. */
interface Sized {
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly devicePixelRatio: number;
  readonly addEventListener: (type: 'resize', listener: () => void) => void;
}

/** Follows the size of the page: the first one, and each one that a resize or a zoom rests at. */
export function reportPageSize(
  target: Sized,
  { getState, dispatch }: WindowStateStore,
  clock: Pick<Clock, 'after'>,
): void {
  const look = () => {
    const { innerWidth: width, innerHeight: height, devicePixelRatio } = target;
    const pixelRatio = Math.round(devicePixelRatio * 1000) / 1000;
    const { page } = getState().own;
    if (page?.width === width && page.height === height && page.pixelRatio === pixelRatio) return;
    dispatch(pageResized({ width, height, pixelRatio }));
  };
  const rest = createRest(clock);
  look();
  target.addEventListener('resize', () => rest.after(look));
}

interface PlaceStore extends Pick<WindowStateStore, 'dispatch'> {
  readonly getState: () => Pick<ShownState, 'conversation' | 'own'>;
  readonly subscribe: (listener: () => void) => unknown;
}

/** The part of a window that says whether the person looks at it. */
interface Watched {
  readonly document: Pick<Document, 'hasFocus' | 'visibilityState'> & {
    readonly addEventListener: (type: 'visibilitychange', listener: () => void) => void;
  };
  readonly addEventListener: (type: 'focus' | 'blur', listener: () => void) => void;
}

/**
 * Follows the place at which the person last looked: they are at the newest message while the window is visible, has the focus and is
 * scrolled to the bottom.
 */
export function reportPlace(target: Watched, { getState, dispatch, subscribe }: PlaceStore): void {
  const look = () => {
    const { own, conversation } = getState();
    const messages = conversation.messages.length;
    if (!showsConversation(own) || messages === 0) return;
    const isAway = target.document.visibilityState !== 'visible' || !target.document.hasFocus();
    const isReading = !isAway && own.scroll.isAtBottom;
    const wasReading = own.place.leftAt === null;
    if (wasReading && !isReading) dispatch(placeLeft({ messages, isAway }));
    else if (isReading && !wasReading) dispatch(placeReturned({ messages }));
  };
  subscribe(look);
  target.addEventListener('focus', look);
  target.addEventListener('blur', look);
  target.document.addEventListener('visibilitychange', look);
}

interface Store extends Pick<WindowStateStore, 'dispatch'> {
  readonly getState: () => Pick<ShownState, 'conversation' | 'own'>;
  readonly subscribe: (listener: () => void) => unknown;
}

/** Hides again what is expanded of a message that is gone: another message may get its id. */
export function hideGoneExpansions({ getState, subscribe, dispatch }: Store): void {
  let seen: Conversation | undefined;
  subscribe(() => {
    const { conversation, own } = getState();
    if (conversation === seen) return;
    seen = conversation;
    for (const one of own.expanded)
      if (isGone(conversation, one)) dispatch(expansionChanged({ ...one, steps: 0 }));
  });
}

/** Returns whether a conversation has another message at the place of an expanded one. A message on its way may be the same one. */
function isGone({ messages }: Conversation, { message: index, id }: Expansion): boolean {
  const message = itemAt(messages, index);
  return message !== MISSING_MESSAGE && (message === undefined || limitText(message.id ?? '') !== id);
}
