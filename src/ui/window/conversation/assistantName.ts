import { clip } from '#shared/clip.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { nameInLabel } from './answerLabel.ts';

/** Number of the newest messages that are searched: the name is looked up at each change. */
const SEARCHED = 1000;
/** Maximum length of the name, in UTF-16 units. */
const NAME_LENGTH = 40;

/**
 * Returns the name of the assistant, without line breaks and clipped: the name in the label of the newest message by `ai` that has one, except the
 * conversation's current message. Its label may still change, for example from "Looking it up…", and is used only when there is no other.
 * `the assistant` when none of the newest messages has a name.
 */
export function assistantName({ messages }: Pick<Conversation, 'messages'>): string {
  const current = messages.length - 1;
  const end = Math.max(0, messages.length - SEARCHED);
  for (let at = current - 1; at >= end; at--) {
    const name = senderOf(itemAt(messages, at));
    if (name !== '') return name;
  }
  return senderOf(itemAt(messages, current)) || 'the assistant';
}

const senderOf = (message: Message | undefined): string =>
  message?.modifier === 'ai' ? nameOf(message.context ?? '') : '';

/** Returns the name in a label. The beginning of a very long one is enough. */
const nameOf = (context: string): string =>
  clip(
    nameInLabel(
      context
        .slice(0, 10 * NAME_LENGTH)
        .trim()
        .replaceAll(/\s+/gu, ' '),
    ),
    NAME_LENGTH,
  );
