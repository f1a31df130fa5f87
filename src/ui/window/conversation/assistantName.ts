import { clip } from '#shared/clip.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';

/** Number of the newest messages that are searched: the name is looked up at each change. */
const SEARCHED = 1000;
/** Maximum length of the name, in UTF-16 units. */
const NAME_LENGTH = 40;

/**
 * Returns the name of the assistant: the sender of the newest message by `ai` that has one, without line breaks and clipped; `the assistant` when
 * none of the newest messages has one.
 */
export function assistantName({ messages }: Pick<Conversation, 'messages'>): string {
  const end = Math.max(0, messages.length - SEARCHED);
  for (let at = messages.length - 1; at >= end; at--) {
    const message = itemAt(messages, at);
    const name = message?.modifier === 'ai' ? nameOf(message.context ?? '') : '';
    if (name !== '') return name;
  }
  return 'the assistant';
}

/** Returns a name on one line. The beginning of a very long one is enough. */
const nameOf = (context: string): string =>
  clip(
    context
      .slice(0, 10 * NAME_LENGTH)
      .trim()
      .replaceAll(/\s+/gu, ' '),
    NAME_LENGTH,
  );
