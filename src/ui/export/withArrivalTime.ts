import type { Message } from '#shared/conversation/conversation.ts';
import { localTime } from './exportTitle.ts';

/**
 * Returns a message whose sender is followed by the time at which the message arrived: `Ada (2026-11-22 16:05)`.
 * @param at in milliseconds since 1970 (UTC); `undefined` when it is not known.
 */
export function withArrivalTime(message: Message, at: number | undefined): Message {
  if (at === undefined) return message;
  const { context = '' } = message;
  const time = localTime(new Date(at));
  return { ...message, context: context === '' ? time : `${context} (${time})` };
}
