import type { Message as MessageFrame } from '../protocol/update.ts';
import { type Conversation, type Message, toMessage } from './conversation.ts';
import { filledVector, withRange } from './vector.ts';

/** A part of a conversation on its way to a window: consecutive messages as frames. */
export interface ConversationPart {
  /** How many messages the conversation has. */
  readonly length: number;
  /** The index of the part's first message. */
  readonly from: number;
  readonly messages: readonly MessageFrame[];
}

/** What a window has at the index of a message that has not arrived. Compare by identity. */
export const MISSING_MESSAGE: Message = Object.freeze({});

/** A conversation of which only its newest messages have arrived. */
export const conversationFromNewest = (person: string | null, newest: ConversationPart): Conversation =>
  withPart({ person, messages: filledVector(newest.length, MISSING_MESSAGE) }, newest);

/** The conversation with a part that was missing. */
export const withPart = (
  { person, messages }: Conversation,
  { from, messages: frames }: ConversationPart,
): Conversation => ({ person, messages: withRange(messages, from, frames.map(toMessage)) });
