import { isDeepStrictEqual } from 'node:util';
import type { Message } from '#shared/protocol/update.ts';

const textOf = ({ content = [] }: Message) => content.map(({ text }) => text ?? '').join('');

/** Returns the messages that a client has received and that are missing after a restart. The newest one may have grown. */
export function lostMessages(messages: readonly Message[], seen: readonly Message[]): readonly Message[] {
  return seen.filter((message, index) => {
    const now = messages[index];
    const isNewest = index === seen.length - 1;
    if (isNewest && now !== undefined) return now.id !== message.id || !textOf(now).includes(textOf(message));
    return !isDeepStrictEqual(now, message);
  });
}
