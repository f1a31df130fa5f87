import type { Message } from '#shared/protocol/update.ts';

const WORDS = 'the platform sends one frame for each update and the messenger folds them in order '.split(
  ' ',
);

/** Returns a message with one text, about 300 bytes of JSON. */
export function shortMessage(index: number): Message {
  const words = Array.from({ length: 29 }, (_, at) => WORDS[(index * 7 + at * 3) % WORDS.length]);
  const text = `${index}: ${words.join(' ')}`;
  return {
    id: `m${index}`,
    modifier: index % 2 === 0 ? 'client' : 'ai',
    content: [{ category: 'text', text, html: null, blob: null }],
    context: 'Parley',
    avatar: '',
    seen: true,
  };
}

/** Returns a message with the largest file that the specification permits: 1.3 MB of base64. */
function fileMessage(index: number): Message {
  const blob = Buffer.alloc(999_999, index % 251).toString('base64');
  return {
    id: `m${index}`,
    modifier: 'client',
    content: [{ category: 'file', text: `${index}.bin`, html: null, blob }],
    context: '',
    avatar: '',
    seen: true,
  };
}

const snapshotText = (count: number, message: (index: number) => Message): string =>
  JSON.stringify({
    person: 'Ada Lovelace',
    messages: Array.from({ length: count }, (_, at) => message(at + 1)),
  });

/** Returns the text of a snapshot of short messages, numbered from 1. */
export const manyMessages = (count: number): string => snapshotText(count, shortMessage);

/** Returns the text of a snapshot of files, numbered from 1. */
export const manyFiles = (count: number): string => snapshotText(count, fileMessage);
