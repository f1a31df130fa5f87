import type { Message as MessageFrame } from '../protocol/update.ts';
import { type Conversation, type Message, toMessage } from './conversation.ts';
import { filledVector, withRange } from './vector.ts';

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
