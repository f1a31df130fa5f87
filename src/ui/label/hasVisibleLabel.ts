import { type BlobSource, blobSource } from '#shared/conversation/blobReference.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';

/** How many messages without content are skipped: each row looks for the next message, and a conversation may contain only such messages. */
const SKIPPED_MESSAGES = 32;

/**
 * Returns whether the label below the message at an index is visible: only the last of consecutive messages of one sender shows it. Nothing of a
 * message without content is visible: it shows no label, and does not separate its neighbours.
 */
export function hasVisibleLabel(messages: Vector<Message>, index: number): boolean {
  const message = itemAt(messages, index);
  if (message === undefined || !hasContent(message)) return false;
  const next = nextWithContent(messages, index);
  return next === undefined || !isSameSender(message, next);
}

/** Returns whether something of a message is visible. */
export const hasContent = ({ content }: Message): boolean => content !== undefined && content.length > 0;

/** Returns the first message with content after an index, or `undefined` when there is none nearby. */
function nextWithContent(messages: Vector<Message>, index: number): Message | undefined {
  for (let at = index + 1; at <= index + 1 + SKIPPED_MESSAGES; at++) {
    const message = itemAt(messages, at);
    if (message === undefined || hasContent(message)) return message;
  }
  return undefined;
}

const isSameSender = (a: Message, b: Message): boolean =>
  a.modifier === b.modifier && (a.context ?? '') === (b.context ?? '') && isSameAvatar(a, b);

const isSameAvatar = (a: Message, b: Message): boolean =>
  avatarKey(blobSource(a.avatar)) === avatarKey(blobSource(b.avatar));

/** Returns a text that is the same for the same avatar. */
const avatarKey = (source: BlobSource): string =>
  typeof source === 'string' ? source : `${source.hash} ${source.head}`;
