import { betweenCharacters } from '../formatText.ts';
import { STATE_TEXT_LENGTH } from '../limits.ts';

/** Returns a text as a window's state contains it: at most `STATE_TEXT_LENGTH` long. */
export const limitText = (text: string): string =>
  text.length <= STATE_TEXT_LENGTH ? text : text.slice(0, betweenCharacters(text, STATE_TEXT_LENGTH));
