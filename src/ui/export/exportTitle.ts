import type { Conversation } from '#shared/conversation/conversation.ts';
import { formatCount } from '#shared/formatCount.ts';

/** Returns the title of an export. */
export const exportTitle = ({ person }: Conversation): string =>
  person === null || person.trim() === ''
    ? 'Conversation'
    : `Conversation of ${person.replaceAll(/\s+/gu, ' ').trim()}`;

/** Returns the line below the title: how much was exported, and when. */
export function exportNote({ messages: { length } }: Conversation, today: Date): string {
  const count = length === 1 ? '1 message' : `${formatCount(length)} messages`;
  return `${count}, exported from Parley on ${localTime(today)}`;
}

/** Formats a time in the time zone of this computer: `2026-11-22 16:05`. */
export function localTime(time: Date): string {
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
