import type { ContentItem, Message as MessageFrame, Snapshot } from '../protocol/update.ts';
import { type Vector, emptyVector, toArray, vectorOf } from './vector.ts';

/** A message as the state holds it: as it came, but for its content, which grows item by item. */
export type Message = Omit<MessageFrame, 'content'> & { readonly content?: Vector<ContentItem> };

/** The conversation as the state holds it (spec §2.6). The current message is the last one. */
export interface Conversation {
  /** `null` until the platform has named the person. */
  readonly person: string | null;
  readonly messages: Vector<Message>;
}

export const emptyConversation: Conversation = { person: null, messages: emptyVector() };

/** A message as it came, to the state's form. */
export function toMessage(frame: MessageFrame): Message {
  const { content } = frame;
  return content === undefined ? (frame as Message) : { ...frame, content: vectorOf(content) };
}

/** The state's form, back to the shape of the specification. */
export function toFrame({ content, ...fields }: Message): MessageFrame {
  return content === undefined ? fields : { ...fields, content: toArray(content) };
}

/** The conversation in the shape of spec §2.6; `person` may still be `null`. */
export function toSnapshot(conversation: Conversation): {
  readonly person: string | null;
  readonly messages: readonly MessageFrame[];
} {
  return { person: conversation.person, messages: toArray(conversation.messages).map(toFrame) };
}

/** A snapshot as it came, to the state's form. */
export function fromSnapshot({ person, messages = [] }: Snapshot): Conversation {
  return { person, messages: vectorOf(messages.map(toMessage)) };
}
