/** Letters of scripts that are written from right to left. */
const RTL = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
/** Begins at a letter or digit: from each of many signs, such as Arabic commas, the search would run to the end of the text. */
const TURN = new RegExp(String.raw`(?=[\p{L}\p{N}])[${RTL}][^\p{L}\p{N}]*(?![${RTL}])[\p{L}\p{N}]`, 'gu');
/** Real texts have some hundred changes of direction in the length of a clipped text at most. */
const MOST_TURNS = 1000;
const MARKS = /\p{M}+/gu;
/** No script puts so many marks on one letter. */
const MOST_MARKS = 100;

/**
 * Whether a browser takes seconds to lay a text out: layout is quadratic in the changes of direction and in the marks on one letter, so that
 * 200,000 characters took 18 s and 57 s.
 */
export const isCostlyText = (text: string): boolean =>
  matches(text, MARKS).some((marks) => marks.length > MOST_MARKS) || matches(text, TURN).length > MOST_TURNS;

const matches = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];
