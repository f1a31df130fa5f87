/** Controls, and what turns the direction of text: a capture must not steer the terminal of whoever reads it. */
const STEERING = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text from outside on one line of a terminal. */
export const printable = (text: string): string => text.replace(/\s+/gu, ' ').replace(STEERING, '·');
