import { type Conversation, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { limitText, type Expansion } from '#shared/actions/windowSchemas.ts';
import { expansionChanged } from '#shared/actions/windowActions.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

interface Store extends Pick<WindowStateStore, 'dispatch'> {
  readonly getState: () => Pick<ShownState, 'conversation' | 'own'>;
  readonly subscribe: (listener: () => void) => unknown;
}

/** Hides again what is expanded of a message that is gone: another message may get its id. */
export function followExpanded({ getState, subscribe, dispatch }: Store): void {
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
