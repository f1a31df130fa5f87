import { safeFileName } from '#shared/safeFileName.ts';

/** Maximum length of the name without its extension, in characters. */
const NAME_LENGTH = 40;
/** Number of characters at the beginning of the text in which the name's words are searched. */
const SEARCHED = 500;
/** Matches a word of any script: a name has no other characters, so it is a valid name on every system. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Creates a file with a text, which is named by its first words. A lone surrogate becomes a replacement character. */
export const textFile = (text: string): File => new File([text], textFileName(text), { type: 'text/plain' });

/** Returns the name of a file with this text: its first words, or `message.txt`. */
export function textFileName(text: string): string {
  let name = '';
  for (const [word] of text.slice(0, SEARCHED).matchAll(WORD)) {
    const longer = name === '' ? word : `${name} ${word}`;
    if (name !== '' && Array.from(longer).length > NAME_LENGTH) break;
    name = longer;
  }
  // The first word may be too long: some scripts have no spaces.
  const fitting = Array.from(name).slice(0, NAME_LENGTH).join('');
  return safeFileName(`${fitting || 'message'}.txt`);
}
