import { avatar } from '#platform/assistant/pictures.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { item } from '#tests/builders/updateOf.ts';

/** Returns a content item with a text. */
export const text = (words: string): ContentItem => item(words);

/** Returns a content item with a part of an answer. */
export const markdown = (words: string, format = 'markdown'): ContentItem => ({ ...text(words), format });

/** Returns a content item with a page. */
export const html = (markup: string): ContentItem => ({ category: 'html', html: markup });

/** Returns a content item with a file, whose bytes are in base64. */
export const file = (name: string, blob = 'YQ=='): ContentItem => ({ category: 'file', text: name, blob });

/** Returns a message of the assistant; `fields` override its fields. */
export const message = (id: string, content: readonly ContentItem[], fields: Message = {}): Message => ({
  id,
  modifier: 'ai',
  content,
  context: 'Parley',
  avatar: '',
  seen: true,
  ...fields,
});

/** Returns `count` messages with the ids `m1`, `m2` and so on. */
export const messages = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => message(`m${index + 1}`, [text(`message ${index + 1}`)]));

/** Returns `count` messages of one to ten lines, whose heights a virtual list cannot know. */
export const uneven = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    message(`m${at + 1}`, [text(`message ${at + 1}${'\nline'.repeat((at * 7) % 10)}`)]),
  );

/** Returns a snapshot with these messages, as an update. */
export const snapshot = (...list: readonly Message[]): Update => ({
  kind: 'snapshot',
  frame: { person: 'Ada Lovelace', messages: list },
});

/** Returns a PNG in base64 whose header has this width and height. */
export function claimedPng(size: number): string {
  const bytes = Buffer.from(avatar(), 'base64');
  for (const at of [16, 20]) bytes.writeUInt32BE(size, at);
  return bytes.toString('base64');
}

/** Returns a message, as an update. */
export const appended = (frame: Message): Update => ({ kind: 'message', frame });
