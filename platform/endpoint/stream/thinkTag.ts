import type { AnswerPart } from '../endpoint.ts';

/** The tags around the reasoning of some models. */
export const OPEN = '<think>';
export const CLOSE = '</think>';

/** Returns a text as a part, unless it is empty. */
export const partsOf = (kind: 'text' | 'reasoning', text: string): AnswerPart[] =>
  text === '' ? [] : [{ kind, text }];

/** Returns how many characters at the end of the text could be the start of the closing tag. */
export function cutTag(text: string): number {
  let length = Math.min(CLOSE.length - 1, text.length);
  while (!CLOSE.startsWith(text.slice(text.length - length))) length -= 1;
  return length;
}
