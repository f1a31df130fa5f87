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

/** A message as it came, to the state's form. Spread, not rest, where it matters: a rest costs ten times as much. */
export const toMessage = (frame: MessageFrame): Message =>
  frame.content === undefined ? withoutContent(frame) : { ...frame, content: vectorOf(frame.content) };

/** The state's form, back to the shape of the specification. */
export const toFrame = (message: Message): MessageFrame =>
  message.content === undefined ? withoutContent(message) : { ...message, content: toArray(message.content) };

const withoutContent = ({ content: _none, ...fields }: MessageFrame | Message) => fields;

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
