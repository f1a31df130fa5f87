/** Letters of scripts that are written from right to left. */
const RTL = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
/** Begins at a letter or digit: from each of many signs, such as Arabic commas, the search would run to the end of the text. */
const TURN = new RegExp(String.raw`(?=[\p{L}\p{N}])[${RTL}][^\p{L}\p{N}]*(?![${RTL}])[\p{L}\p{N}]`, 'gu');
/** Real texts have some hundred changes of direction in the length of a clipped text at most. */
const MOST_TURNS = 1000;
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Without a space in it, a longer text takes seconds to be broken into lines. */
const MOST_UNBROKEN = 20_000;
const MARKS = /\p{M}+/gu;
/** More marks on one letter than any script uses. */
const MOST_MARKS = 100;

/**
 * Whether a browser takes seconds to lay a text out: layout is quadratic in the changes of direction, in the marks on one letter and in the
 * length of what has no spaces, so that 200,000 characters took 18 s, 57 s and over 20 s.
 */
export const isCostlyText = (text: string): boolean =>
  matches(text, MARKS).some((marks) => marks.length > MOST_MARKS) ||
  matches(text, TURN).length + matches(text, DIRECTION_CONTROLS).length > MOST_TURNS ||
  text.split(/[ \t\n\r]/u).some((unbroken) => unbroken.length > MOST_UNBROKEN);

const matches = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];
