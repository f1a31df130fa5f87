import type { ContentItem, Message } from '#shared/protocol/update.ts';

const LINE = 'the platform sends one frame for each update and the messenger folds them in order';
const LIST =
  '<p>What is left to do:</p><ul><li>read the <b>log</b></li><li>write the <code>test</code></li></ul>';

const item = (index: number): ContentItem =>
  index % 8 === 0
    ? { category: 'html', text: null, html: LIST, blob: null }
    : {
        category: 'text',
        text: `${index}: ${`${LINE}\n`.repeat(1 + ((index * 7) % 10))}`.trimEnd(),
        html: null,
        blob: null,
      };

/** Returns a message of one to ten lines, whose height a list cannot know before it is drawn; each eighth message is markup. */
export const variedMessage = (index: number): Message => ({
  id: `m${index}`,
  modifier: index % 2 === 0 ? 'client' : 'ai',
  content: [item(index)],
  context: index % 2 === 0 ? 'Ada' : 'Parley',
  avatar: '',
  seen: true,
});

/** Returns the text of a snapshot of messages, numbered from 1. */
export const variedSnapshot = (count: number): string =>
  JSON.stringify({
    person: 'Ada Lovelace',
    messages: Array.from({ length: count }, (_, at) => variedMessage(at + 1)),
  });
