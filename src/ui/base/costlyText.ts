/** Letters of right-to-left scripts. */
const RTL = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
/** Matches a change of direction. Starts only at a letter or digit: from each Arabic comma, for example, a search would run to the text's end. */
const DIRECTION_CHANGE = new RegExp(
  String.raw`(?=[\p{L}\p{N}])[${RTL}][^\p{L}\p{N}]*(?![${RTL}])[\p{L}\p{N}]`,
  'gu',
);
/** Maximum number of changes of direction. Real texts of the length of a clipped text have a few hundred at most. */
const MOST_DIRECTION_CHANGES = 1000;
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Maximum length without a space: the browser takes seconds to break a longer one into lines. */
const MOST_UNBROKEN = 20_000;
const MARKS = /\p{M}+/gu;
/** Maximum number of combining marks on one letter: more than any script uses. */
const MOST_MARKS = 100;

/**
 * Returns whether a browser takes seconds to lay out a text. Layout time is quadratic in the changes of direction, in the marks on one
 * letter and in the length without a space: 200,000 characters took 18 s, 57 s and over 20 s.
 */
export const isCostlyText = (text: string): boolean =>
  matches(text, MARKS).some((marks) => marks.length > MOST_MARKS) ||
  matches(text, DIRECTION_CHANGE).length + matches(text, DIRECTION_CONTROLS).length >
    MOST_DIRECTION_CHANGES ||
  text.split(/[ \t\n\r]/u).some((unbroken) => unbroken.length > MOST_UNBROKEN);

const matches = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];
