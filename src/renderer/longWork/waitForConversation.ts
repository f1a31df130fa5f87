import type { Conversation } from '#shared/conversation/conversation.ts';
import { hasArrived } from '#ui/export/useCopy.ts';
import type { WindowStore } from '../store/createWindowStore.ts';

/**
 * Resolves to the conversation when its messages from an index on have arrived in the window.
 * @throws the signal's reason when it is aborted before.
 */
export function waitForConversation(
  { getState, subscribe }: Pick<WindowStore, 'getState' | 'subscribe'>,
  signal: AbortSignal,
  from = 0,
): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { conversation } = getState();
      if (!hasArrived(conversation, from)) return;
      stop();
      resolve(conversation);
    };
    const stop = subscribe(look);
    signal.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
    look();
  });
}
