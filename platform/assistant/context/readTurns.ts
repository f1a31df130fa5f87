import type { ContentItem, Message } from '#shared/protocol/update.ts';
import { sourceOf } from '../../answer/sourceOf.ts';
import { readAssistantWord } from './assistantWords.ts';
import { type MarkedMessage, isAnswer, isForeign } from './markedMessage.ts';
import { readAttachment } from './readAttachment.ts';

/** A part of what one side said. */
export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly name: string; readonly url: string };

/** What one side said in one message. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly TurnPart[];
}

/**
 * Returns what the person and the model said, oldest first. The words that control the assistant are left out, and so are
 * notices, reasoning, what cannot be read, an answer that was asked for again, and everything before another assistant's
 * last message.
 */
export function readTurns(messages: readonly MarkedMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages.slice(messages.findLastIndex(isForeign) + 1)) {
    if (isAnother(message)) while (turns.at(-1)?.role === 'assistant') turns.pop();
    const turn = readTurn(message);
    if (turn !== null) turns.push(turn);
  }
  return turns;
}

/** Returns whether a message is one of the person's words. */
export const isWord = ({ modifier, content }: Message): boolean =>
  modifier === 'client' && content?.[0]?.category === 'text' && readAssistantWord(content[0].text) !== null;

const isAnother = (message: Message) =>
  isWord(message) && readAssistantWord(message.content?.[0]?.text) === 'again';

function readTurn(message: MarkedMessage): Turn | null {
  if (message.modifier === 'client') return isWord(message) ? null : turnOf('user', readSaid(message));
  if (isAnswer(message)) return turnOf('assistant', [textPart(sourceOf(message))]);
  return turnOf('user', [textPart(message.heard ?? '')]);
}

const textPart = (text: string): TurnPart => ({ kind: 'text', text });

function turnOf(role: Turn['role'], parts: readonly TurnPart[]): Turn | null {
  const filled = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return filled.length === 0 ? null : { role, parts: filled };
}

/** Reads the person's message. */
const readSaid = ({ content = [] }: Message): readonly TurnPart[] =>
  content.flatMap((item) => readItem(item) ?? []);

function readItem({ category, text, blob }: ContentItem): TurnPart | null {
  const words = text ?? '';
  if (category === 'text' || category === 'audio') return textPart(words);
  const file = readAttachment(words, blob ?? '');
  if (file.kind === 'image') return { ...file, name: words };
  return file.kind === 'text' ? textPart(`File “${words}”:\n\n${file.text}`) : null;
}
