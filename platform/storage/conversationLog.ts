import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, fromSnapshot, toMessage, toSnapshot } from '#shared/conversation/conversation.ts';
import { changeLast } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Message } from '#shared/protocol/update.ts';
import { MEMORY_LIMIT, type StoredConversation, newestMessages, countCharacters } from './newestMessages.ts';

/** One account's conversation, folded from its frames with the client's decoder and reducer. */
interface ConversationLog {
  /**
   * Folds the next frame.
   * @throws {Error} when its text is not an update.
   */
  add(text: string): void;
  /** Replaces the newest message; returns the conversation. */
  replaceNewest(message: Message): StoredConversation;
  /** Returns the person's name after the last frame. */
  person(): string;
  conversation(): StoredConversation;
}

/** Continues a stored conversation. Drops the oldest messages when there are twice as many as `MEMORY_LIMIT`. */
export function conversationLog(stored: StoredConversation): ConversationLog {
  let state: Conversation = fromSnapshot(stored);
  let characters = countCharacters(stored.messages);

  const person = () => state.person ?? stored.person;
  const conversation = (): StoredConversation => ({ person: person(), messages: toSnapshot(state).messages });
  const add = (text: string) => {
    const update = decodeUpdate(text);
    if (update.kind === 'rejected')
      throw new Error(`the platform created a frame that is not an update: ${update.where}`);
    state = applyUpdate(state, update);
    characters += text.length;
    if (state.messages.length < 2 * MEMORY_LIMIT.messages && characters < 2 * MEMORY_LIMIT.characters) return;
    const messages = newestMessages(conversation().messages, MEMORY_LIMIT);
    state = fromSnapshot({ person: person(), messages });
    characters = countCharacters(messages);
  };
  const replaceNewest = (message: Message) => {
    state = { person: state.person, messages: changeLast(state.messages, () => toMessage(message)) };
    characters += countCharacters([message]);
    return conversation();
  };
  return { add, replaceNewest, person, conversation };
}
