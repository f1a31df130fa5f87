import type { ContentItem, Message as MessageFrame, Snapshot } from '../protocol/update.ts';
import { type Vector, emptyVector, toArray, vectorOf, filledVector, withRange, itemAt } from './vector.ts';

/** A message in the state: the received frame, with its content as a vector, since items are appended one by one. */
export type Message = Omit<MessageFrame, 'content'> & { readonly content?: Vector<ContentItem> };

/** The conversation in the state (spec §2.6). The current message is the last one. */
export interface Conversation {
  /** `null` until the platform has sent the person's name. */
  readonly person: string | null;
  readonly messages: Vector<Message>;
}

/** The conversation before the first snapshot. */
export const emptyConversation: Conversation = { person: null, messages: emptyVector() };

/** Converts a received message to its form in the state. */
export const toMessage = (frame: MessageFrame): Message =>
  frame.content === undefined ? withoutContent(frame) : withContent(frame, vectorOf(frame.content));

/** Converts a message in the state back to the form of the specification. */
export const toFrame = (message: Message): MessageFrame =>
  message.content === undefined ? withoutContent(message) : { ...message, content: toArray(message.content) };

const withoutContent = ({ content: _none, ...fields }: MessageFrame | Message) => fields;

/** Converts the conversation to the form of spec §2.6; `person` may still be `null`. */
export function toSnapshot(conversation: Conversation): {
  readonly person: string | null;
  readonly messages: readonly MessageFrame[];
} {
  return { person: conversation.person, messages: toArray(conversation.messages).map(toFrame) };
}

/** Converts a received snapshot to its form in the state. */
export function fromSnapshot({ person, messages = [] }: Snapshot): Conversation {
  return { person, messages: vectorOf(messages.map(toMessage)) };
}

/*
 * Copies with another field. V8 makes a hidden class for each copy of a copy by spread, and from the fifth on a spread takes eight times as
 * long. Most messages and items have exactly the fields of the specification, in its order: these are copied by a literal.
 */

const MESSAGE_FIELDS = 'id modifier content context avatar seen'.split(' ');
const ITEM_FIELDS = 'category text html blob'.split(' ');

function hasFields<T extends object>(value: T, names: readonly string[]): value is Required<T> {
  let count = 0;
  for (const name in value) if (name !== names[count++]) return false;
  return count === names.length;
}

/** Returns a copy of a message with other content. */
export function withContent(message: MessageFrame | Message, content: Vector<ContentItem>): Message {
  if (!hasFields(message, MESSAGE_FIELDS)) return { ...message, content };
  const { id, modifier, context, avatar, seen } = message;
  return { id, modifier, content, context, avatar, seen };
}

/** Returns a copy of a message with another context. */
export function withContext(message: Message, context: string): Message {
  if (!hasFields(message, MESSAGE_FIELDS)) return { ...message, context };
  const { id, modifier, content, avatar, seen } = message;
  return { id, modifier, content, context, avatar, seen };
}

/** Returns a copy of a content item with another text. */
export function withText(item: ContentItem, text: string | null): ContentItem {
  if (!hasFields(item, ITEM_FIELDS)) return { ...item, text };
  const { category, html, blob } = item;
  return { category, text, html, blob };
}

/** A part of a conversation as it is sent to a window: consecutive messages as frames. */
export interface ConversationPart {
  /** The number of messages in the conversation. */
  readonly length: number;
  /** The index of the part's first message. */
  readonly from: number;
  readonly messages: readonly MessageFrame[];
}

/** The placeholder of a message that has not arrived in the window yet. Compare by identity. */
export const MISSING_MESSAGE: Message = Object.freeze({});

/** Returns a conversation of which only the newest messages have arrived. */
export const conversationFromNewest = (person: string | null, newest: ConversationPart): Conversation =>
  withPart({ person, messages: filledVector(newest.length, MISSING_MESSAGE) }, newest);

/** Returns the conversation with the messages of a part. */
export const withPart = (
  { person, messages }: Conversation,
  { from, messages: frames }: ConversationPart,
): Conversation => ({ person, messages: withRange(messages, from, frames.map(toMessage)) });

/**
 * Returns how many of a snapshot's first messages the conversation contains already: those that have the same id at the same index. A snapshot
 * after a reconnect repeats the known messages.
 */
export function countKnownMessages({ messages }: Conversation, { messages: received }: Snapshot): number {
  if (received === undefined) return 0;
  const firstNew = received.findIndex(
    ({ id }, index) => id === undefined || id !== itemAt(messages, index)?.id,
  );
  return firstNew === -1 ? received.length : firstNew;
}

/**
 * Words that a person can send as ordinary messages, and that an assistant may understand as requests about its answer: `stop` ends it, `again` asks for
 * another one, `continue` continues one that was stopped or cut off, `edit` lets the next message replace the last question. `new topic` lets it forget what was said.
 */
export const WORDS = ['stop', 'again', 'continue', 'edit', 'new topic'] as const;

/** One of {@link WORDS}. */
export type Word = (typeof WORDS)[number];

/** No words: the assistant understands none of them, or the platform does not say so. */
export const NO_WORDS: readonly never[] = [];

/** Returns the words of the field `words` of a snapshot, which the specification leaves open; every other value in it is skipped. */
export function wordsOf(snapshot: Snapshot): readonly Word[] {
  const named: unknown = 'words' in snapshot ? snapshot.words : undefined;
  if (!Array.isArray(named)) return NO_WORDS;
  const words = WORDS.filter((word) => named.includes(word));
  return words.length === 0 ? NO_WORDS : words;
}
