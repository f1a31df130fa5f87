import type { ShownState } from '#shared/store/windowState.ts';
import { placeLeft, placeReturned } from '#shared/actions/windowActions.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

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
export function followPlace(target: Watched, { getState, dispatch, subscribe }: PlaceStore): void {
  const look = () => {
    const { own, conversation } = getState();
    const messages = conversation.messages.length;
    if (own.view !== 'conversation' || own.startFailure !== null || messages === 0) return;
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
