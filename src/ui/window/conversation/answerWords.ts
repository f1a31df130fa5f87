import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { NO_WORDS, type Word } from '#shared/conversation/words.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { isRunning, isUnfinished } from './answerLabel.ts';

/** Number of the newest messages in which the newest answer is searched. */
const SEARCHED = 5;

/**
 * Returns the words about the newest answer that make sense now, of those that the assistant understands: `stop` while it runs, and also before its first
 * text; then `again`, and `continue` when it was stopped or cut off.
 */
export function answerWords({
  conversation,
  words,
}: Pick<SharedState, 'conversation' | 'words'>): readonly Word[] {
  if (words.length === 0) return NO_WORDS;
  const offered = wordsAbout(conversation).filter((word) => words.includes(word));
  return offered.length === 0 ? NO_WORDS : offered;
}

function wordsAbout({ messages }: Conversation): readonly Word[] {
  const current = messages.length - 1;
  for (let at = current; at > current - SEARCHED; at--) {
    const message = itemAt(messages, at);
    if (message?.modifier === 'ai') return wordsAboutAnswer(message.context ?? '', at === current);
    if (message === undefined || !followsAnswer(message))
      return at === current ? wordsAboutQuestion(message) : NO_WORDS;
  }
  return NO_WORDS;
}

/** A model can think for minutes before the first text of its answer. */
const wordsAboutQuestion = (message: Message | undefined): readonly Word[] =>
  message?.modifier === 'client' ? ['stop'] : NO_WORDS;

/** Only the current message can run: no update changes another one. */
function wordsAboutAnswer(label: string, isCurrent: boolean): readonly Word[] {
  if (isRunning(label)) return isCurrent ? ['stop'] : NO_WORDS;
  return isUnfinished(label) ? ['again', 'continue'] : ['again'];
}

/** Returns whether a message is no new question: the returned word that stopped the answer, or a notice of the platform. */
function followsAnswer({ modifier, content }: Message): boolean {
  if (modifier === 'admin') return true;
  const item = content && itemAt(content, 0);
  return modifier === 'client' && item?.category === 'text' && item.text?.trim().toLowerCase() === 'stop';
}
