import { itemAt } from '#shared/conversation/vector.ts';
import { scrollRested } from '#shared/actions/windowActions.ts';
import type { Clock } from '#shared/clock.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { topRow } from '#ui/useListHandle.ts';
import { createRest } from '../base/createRest.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

interface ScrollStore extends Pick<WindowStateStore, 'dispatch'> {
  readonly getState: () => Pick<ShownState, 'conversation' | 'own'>;
}

/** Follows the place to which the person has scrolled the conversation: the message at the top of the view when it rests. */
export function followScroll(
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
