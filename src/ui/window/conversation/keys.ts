import { TEXT_LENGTH } from '#shared/limits.ts';

/** The properties of a key press that determine what it does. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'
> & {
  getModifierState(modifier: 'AltGraph'): boolean;
};

/** Matches one visible character: neither a space nor the name of a key (`Enter`, `F5`, `Dead`, `Process`). */
const VISIBLE_CHARACTER = /^[^\s\p{C}]$/u;

/**
 * Returns the character that a key press prints, or `null`. A printed character opens the text box (spec §4.4.1, contract §3). A key with
 * Control, Meta or Alt is a shortcut, unless the character needs them: AltGraph (Control and Alt on Windows) or Option on a Mac.
 */
export function printedCharacter(press: KeyPress, isMac: boolean): string | null {
  if (press.isComposing || !VISIBLE_CHARACTER.test(press.key)) return null;
  if (press.getModifierState('AltGraph')) return press.key;
  const isShortcut = press.ctrlKey || press.metaKey || (press.altKey && !isMac);
  return isShortcut ? null : press.key;
}

const segmenter = new Intl.Segmenter();

/** Returns whether the text is one character to people (a grapheme). Checks only short texts: the longest emoji have a dozen units. */
export const isOneCharacter = (text: string): boolean =>
  text !== '' && text.length < 40 && Array.from(segmenter.segment(text)).length === 1;

/** What a key press in the text box does. */
type TextBoxCommand = 'send' | 'sendAsFile' | 'close' | 'older' | 'newer' | 'nothing';

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyPress): boolean => ctrlKey || metaKey || altKey;

/** The keys that send a text as a file, as on Windows and Linux. */
export const SEND_AS_FILE_KEYS = 'Alt+Enter';

/** Returns whether a text is too long for a message: it can be sent as a file. */
export const isTooLong = (text: string): boolean => text.length >= TEXT_LENGTH;

/**
 * Returns what a key press in the text box does (spec §4.4.1): `send` on Enter, `sendAsFile` on Alt+Enter with a text that is too long for a
 * message, `close` on Escape and on Backspace when one character remains, `older` and `newer` on the arrow keys, which recall texts, `nothing`
 * to suppress the browser's default, and `null` to leave the key to the browser.
 */
export function textBoxCommand(press: KeyPress, text: string): TextBoxCommand | null {
  if (press.isComposing) return null;
  if (press.key === 'Escape') return 'close';
  if (press.key === 'Backspace') return isOneCharacter(text) ? 'close' : null;
  if (press.shiftKey) return null;
  if (press.key === 'ArrowUp') return hasModifier(press) ? null : 'older';
  if (press.key === 'ArrowDown') return hasModifier(press) ? null : 'newer';
  if (press.key !== 'Enter') return null;
  if (press.altKey && !press.ctrlKey && !press.metaKey && isTooLong(text)) return 'sendAsFile';
  return hasModifier(press) || text === '' ? 'nothing' : 'send';
}
