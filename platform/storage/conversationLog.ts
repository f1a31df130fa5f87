import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, fromSnapshot, toMessage, toSnapshot } from '#shared/conversation/conversation.ts';
import { changeLast } from '#shared/conversation/vector.ts';
import { decodeUpdate, type Message } from '#shared/protocol/update.ts';

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

/** A conversation as it is stored and sent (spec §2.6). */
export interface StoredConversation {
  readonly person: string;
  readonly messages: readonly Message[];
}

/** The most of a conversation: messages, and characters of their contents. */
export interface HistoryLimit {
  readonly messages: number;
  readonly characters: number;
}

/**
 * The limit of a conversation in memory, which is what a client receives: the oldest messages are dropped from it when there
 * are twice as many. A frame with twice as many characters can still be read by a client. 20 MB is about fifteen of the
 * largest pictures.
 */
export const MEMORY_LIMIT: HistoryLimit = { messages: 5000, characters: 20_000_000 };

/** Returns the approximate number of characters in messages. */
export const countCharacters = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + countOne(message), 0);

const countOne = ({ avatar = '', content = [] }: Message): number =>
  content.reduce(
    (sum, { text, html, blob }) => sum + (text?.length ?? 0) + (html?.length ?? 0) + (blob?.length ?? 0),
    avatar.length,
  );

/** Returns the newest messages that fit; the same list when all fit. */
export function newestMessages(messages: readonly Message[], limit: HistoryLimit): readonly Message[] {
  let start = messages.length;
  let characters = 0;
  while (start > 0 && messages.length - start < limit.messages) {
    const message = messages[start - 1];
    characters += message === undefined ? 0 : countOne(message);
    if (characters > limit.characters) break;
    start--;
  }
  return start === 0 ? messages : messages.slice(start);
}
