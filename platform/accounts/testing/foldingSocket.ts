import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type Update } from '#shared/protocol/update.ts';
import type { ConversationSocket } from '../conversationSockets.ts';

/** A socket that folds the frames that it receives, as a client does. */
interface FoldingSocket {
  readonly socket: ConversationSocket;
  /** Every update so far. */
  readonly updates: readonly Update[];
  conversation(): ReturnType<typeof toSnapshot>;
}

/** Creates a socket that folds the frames that it receives, as a client does. */
export function foldingSocket(): FoldingSocket {
  let conversation = emptyConversation;
  const updates: Update[] = [];
  const socket: ConversationSocket = {
    send(text) {
      const update = decodeUpdate(text);
      if (update.kind === 'rejected') throw new Error(`rejected: ${text}`);
      updates.push(update);
      conversation = applyUpdate(conversation, update);
    },
    close: () => undefined,
    terminate: () => undefined,
  };
  return { socket, updates, conversation: () => toSnapshot(conversation) };
}
