import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { pluralize } from '#shared/pluralize.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { PlatformLimits } from '../accounts/platformLimits.ts';
import { createRateLimit } from '../accounts/rateLimit.ts';

/** A message as it arrived. */
interface Arrived {
  readonly account: string;
  readonly outgoing: Outgoing;
  /** Size of its frame. */
  readonly bytes: number;
}

/** Why a message is refused. */
export interface Refusal {
  /** For the conversation: it contains the refused text, so that the person can send it again. */
  readonly words: string;
  /** For the close of a socket that continues to send: at most 123 bytes. */
  readonly reason: string;
}

/** Creates the check of the limits of messages: returns why a message is refused, or `null`, which counts it. */
export function createRefuseMessage(
  { messagesPerMinute, messageBytes }: PlatformLimits,
  clock: Clock,
): (arrived: Arrived) => Refusal | null {
  const limit = createRateLimit(clock, { max: messagesPerMinute, windowMs: 60_000 });
  return ({ account, outgoing, bytes }) => {
    if (bytes > messageBytes) {
      const reason = `A message has at most ${messageBytes} bytes here, and yours had ${bytes}. It was not kept.`;
      return { reason, words: `${reason} Send a smaller one. ${quote(outgoing)}` };
    }
    const waitMs = limit.take(account);
    if (waitMs === 0) return null;
    const most = `You can send ${pluralize(messagesPerMinute, 'message')} a minute`;
    const later = `Try again in ${pluralize(Math.ceil(waitMs / 1000), 'second')}.`;
    const reason = `${most}, and this one was not kept. ${later}`;
    return { reason, words: `${reason} ${quote(outgoing)}` };
  };
}

/** Returns the refused text, or the name of the refused file. */
const quote = ({ category, text }: Outgoing): string => {
  if (category === 'text') return `You wrote: ${text}`;
  return text === null ? 'It was a voice message.' : `It was the file ${text}.`;
};
