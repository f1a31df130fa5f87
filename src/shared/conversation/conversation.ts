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

/** Converts a received message to its form in the state. Uses spread instead of rest on the hot path: rest takes ten times as long. */
export const toMessage = (frame: MessageFrame): Message =>
  frame.content === undefined ? withoutContent(frame) : { ...frame, content: vectorOf(frame.content) };

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
