import type { Message } from '#shared/protocol/update.ts';
import type { NewId } from './assistant.ts';
import type { MarkedMessage } from './markedMessage.ts';

/** A word by which the person controls the assistant. */
export type AssistantWord = 'stop' | 'cancel' | 'again' | 'continue' | 'new topic' | 'usage';

/**
 * What a word does instead of being a message of the conversation. `nothing`: it has been done already, such as the second `stop` of two windows that
 * send it at once.
 */
export type ControlWord = 'stop' | 'again' | 'continue' | 'new topic' | 'nothing';

/** The words that a client can offer as buttons. */
export const BUTTON_WORDS = [
  'stop',
  'again',
  'continue',
  'new topic',
] as const satisfies readonly AssistantWord[];

const WORDS: ReadonlyMap<string, AssistantWord> = new Map(
  ([...BUTTON_WORDS, 'cancel', 'usage'] as const).map((word) => [word, word]),
);

/** Returns the word that a text is, in any case and with spaces around it, or `null`. */
export const readAssistantWord = (text: string | null | undefined): AssistantWord | null =>
  WORDS.get((text ?? '').trim().toLowerCase()) ?? null;

/** Returns whether a message is the line that begins a new topic. */
export const isDivider = (message: MarkedMessage): boolean => message.divider === true;

/** Returns the line that begins a new topic. */
export const divider = (newId: NewId): MarkedMessage => ({
  id: newId(),
  modifier: 'admin',
  content: [{ category: 'text', text: 'New topic', html: null, blob: null }],
  context: '',
  avatar: '',
  seen: true,
  divider: true,
});

/** Returns the messages of the newest topic: those after the last divider. */
export const currentTopic = <T extends Message>(messages: readonly T[]): readonly T[] =>
  messages.slice(messages.findLastIndex(isDivider) + 1);

/**
 * Returns what `new topic` does: it begins one when the person or the assistant has said something in this one. In a topic that has just begun it does
 * nothing, and in a conversation without a message it is an ordinary text.
 */
export function readNewTopic(messages: readonly Message[]): ControlWord | null {
  const topic = currentTopic(messages);
  if (topic.some(({ modifier }) => modifier !== 'admin')) return 'new topic';
  return topic.length < messages.length ? 'nothing' : null;
}
