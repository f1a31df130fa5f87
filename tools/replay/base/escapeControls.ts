/** Control characters, and those that change the direction of text: a capture must not control the reader's terminal. */
const CONTROLS = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Makes a text from a capture safe to print, on one line. */
export const escapeControls = (text: string): string => text.replace(/\s+/gu, ' ').replace(CONTROLS, '·');

/** Makes a name safe to print, on one line. */
export const visibleName = (name: string): string => name.replace(CONTROLS, '·');
