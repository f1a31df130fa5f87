import { betweenCharacters } from '../clip.ts';
import { OWN_TEXT_LENGTH } from '../limits.ts';

/** Returns a text as a window's own state contains it: at most `OWN_TEXT_LENGTH` long. */
export const limitText = (text: string): string =>
  text.length <= OWN_TEXT_LENGTH ? text : text.slice(0, betweenCharacters(text, OWN_TEXT_LENGTH));
