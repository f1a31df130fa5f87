import { type BlobSource, blobSource } from '#shared/conversation/blobReference.ts';
import type { Message } from '#shared/conversation/conversation.ts';

/**
 * Returns whether the label below a message is visible: only the last of consecutive messages of one sender shows it, and a message without
 * content, of which nothing is visible, shows none.
 * @param next the message after it, or `undefined`.
 */
export const hasVisibleLabel = (message: Message, next: Message | undefined): boolean =>
  hasContent(message) && !(next !== undefined && hasContent(next) && isSameSender(message, next));

const hasContent = ({ content }: Message): boolean => content !== undefined && content.length > 0;

const isSameSender = (a: Message, b: Message): boolean =>
  a.modifier === b.modifier && (a.context ?? '') === (b.context ?? '') && isSameAvatar(a, b);

const isSameAvatar = (a: Message, b: Message): boolean =>
  avatarKey(blobSource(a.avatar)) === avatarKey(blobSource(b.avatar));

/** Returns a text that is the same for the same avatar. */
const avatarKey = (source: BlobSource): string =>
  typeof source === 'string' ? source : `${source.hash} ${source.head}`;
