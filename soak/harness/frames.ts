import { message } from '#tests/builders/updates.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';

/** A message with a number, of that many characters of text. */
export const numbered = (number: number, characters = 20): Message =>
  message(`m${number}`, { content: [textItem(`${number} `.padEnd(characters, 'x'))] });

/** A content item of category `html`. */
export const htmlItem = (html: string): ContentItem => ({ category: 'html', text: null, html, blob: null });

const textItem = (text: string): ContentItem => ({ category: 'text', text, html: null, blob: null });

/** A snapshot of that many MB, in messages of 100 kB, as a frame's text. */
export function snapshotText(megabytes: number, label = 'snapshot'): string {
  const messages = Array.from({ length: megabytes * 10 }, (_, index) => numbered(index + 1, 100_000));
  return JSON.stringify({ person: `Ada ${label}`, messages });
}
