import { message } from '#tests/builders/updateOf.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';

/** Returns the message `m<number>`, with a text that starts with the number. */
export const numberedMessage = (number: number, characters = 20): Message =>
  message(`m${number}`, { content: [textItem(`${number} `.padEnd(characters, 'x'))] });

/** Returns a content item of category `html`. */
export const htmlItem = (html: string): ContentItem => ({ category: 'html', text: null, html, blob: null });

const textItem = (text: string): ContentItem => ({ category: 'text', text, html: null, blob: null });

/** Returns the text of a snapshot frame with messages of 100 kB. */
export function snapshotText(megabytes: number, label = 'snapshot'): string {
  const messages = Array.from({ length: megabytes * 10 }, (_, index) => numberedMessage(index + 1, 100_000));
  return JSON.stringify({ person: `Ada ${label}`, messages });
}
