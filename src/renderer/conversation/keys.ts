/** The part of a key press that decides what it does. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** An input method is composing. */
  readonly isComposing: boolean;
  getModifierState(modifier: 'AltGraph'): boolean;
}

/** Exactly one character that can be seen: neither space, nor the name of a key (`Enter`, `F5`, `Dead`, `Process`). */
const VISIBLE_CHARACTER = /^[^\s\p{C}]$/u;

/**
 * The character that a key press prints, or `null`: what opens the text box (spec §4.4.1, contract §3). With Control,
 * Meta or Alt a key is a shortcut, unless the character needs them: AltGraph (which is Control and Alt on Windows), or
 * the Option key of a Mac.
 */
export function printedCharacter(press: KeyPress, isMac: boolean): string | null {
  if (press.isComposing || !VISIBLE_CHARACTER.test(press.key)) return null;
  if (press.getModifierState('AltGraph')) return press.key;
  const isShortcut = press.ctrlKey || press.metaKey || (press.altKey && !isMac);
  return isShortcut ? null : press.key;
}

const segmenter = new Intl.Segmenter();

/** Whether people would call the text one character. Only short texts are looked at: the longest emoji have a dozen units. */
const isOneCharacter = (text: string): boolean =>
  text !== '' && text.length < 40 && Array.from(segmenter.segment(text)).length === 1;

/**
 * What a key press in the text box does beyond typing (spec §4.4.1): `send` on Enter, `close` on Escape and on
 * Backspace when one character remains, `nothing` where the browser would do what is not wanted. `null` leaves it alone.
 */
export function textBoxAct(press: KeyPress, text: string): 'send' | 'close' | 'nothing' | null {
  if (press.isComposing) return null;
  if (press.key === 'Escape') return 'close';
  if (press.key === 'Backspace') return isOneCharacter(text) ? 'close' : null;
  if (press.key !== 'Enter' || press.shiftKey) return null;
  const isShortcut = press.ctrlKey || press.metaKey || press.altKey;
  return isShortcut || text === '' ? 'nothing' : 'send';
}
