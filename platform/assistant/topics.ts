import type { Message } from '#shared/protocol/update.ts';
import type { NewId } from './assistant.ts';
import type { ControlWord } from './controlWords.ts';
import type { MarkedMessage } from './markedMessage.ts';

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
