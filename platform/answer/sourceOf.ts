import type { Message } from '#shared/protocol/update.ts';

/**
 * Returns the Markdown of an answer from its stored message: what the endpoint receives as the assistant's message. An `html` item keeps its
 * Markdown in `text`. Reasoning and notes are not part of the answer.
 */
export const sourceOf = ({ content = [] }: Pick<Message, 'content'>): string =>
  content
    .filter((item) => (item.category === 'text' || item.category === 'html') && !('note' in item))
    .map(({ text }) => text ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
