import type { MarkedMessage } from './markedMessage.ts';
import { canContinue, isAnswer } from './markedMessage.ts';
import { isWord } from './readTurns.ts';

/** What the model is to answer: the last message is the question, or the answer to continue. */
export interface Task {
  readonly messages: readonly MarkedMessage[];
  readonly continues: boolean;
}

const isQuestion = (message: MarkedMessage) => message.modifier === 'client' && !isWord(message);

/** Returns the last question, without what came after it; `null` when there is none. */
export function findQuestion(messages: readonly MarkedMessage[]): Task | null {
  const at = messages.findLastIndex(isQuestion);
  return at === -1 ? null : { messages: messages.slice(0, at + 1), continues: false };
}

/** Returns the last answer if it was stopped or cut off, or a question without an answer; `null` when there is neither. */
export function findUnfinished(messages: readonly MarkedMessage[]): Task | null {
  const at = messages.findLastIndex((message) => isQuestion(message) || isAnswer(message));
  const last = messages[at];
  if (last === undefined) return null;
  if (isQuestion(last)) return findQuestion(messages);
  return canContinue(last) ? { messages: messages.slice(0, at + 1), continues: true } : null;
}
