import type { NewId } from '../assistant.ts';
import { readAssistantWord } from '../context/assistantWords.ts';
import { LABELS, type MarkedMessage, isForeign } from '../context/markedMessage.ts';
import { notice } from './notice.ts';

const CUT_OFF = 'The answer was cut off before it began. Send “again” to ask again.';

/** Returns the message that stands for an answer that was cut off before its first text. */
export const cutOffNotice = (newId: NewId): MarkedMessage => notice(newId, CUT_OFF, { context: LABELS.cut });

/** The words that need no answer of the model. */
const NEEDS_NONE: ReadonlySet<string | null> = new Set(['stop', 'usage']);

/**
 * Returns what to say in a conversation that is opened and whose question the model has not answered, because the platform was
 * killed; `null` for any other conversation.
 */
export function unansweredNotice(newId: NewId, messages: readonly MarkedMessage[]): MarkedMessage | null {
  const newest = messages.at(-1);
  if (newest?.modifier !== 'client' || NEEDS_NONE.has(readAssistantWord(newest.content?.[0]?.text)))
    return null;
  const before = messages.findLast(({ modifier }) => modifier === 'ai');
  return before === undefined || isForeign(before) ? null : cutOffNotice(newId);
}
