import type { ContentItem, Message as MessageFrame, Snapshot } from '../protocol/update.ts';
import { type Vector, emptyVector, toArray, vectorOf } from './vector.ts';

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
