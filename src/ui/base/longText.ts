import { betweenCharacters } from '#shared/formatText.ts';

/** Texts longer than this are clipped, in UTF-16 units. */
export const CLIPPED_LENGTH = 20_000;
/** Texts that are costly to lay out are clipped to this length. */
export const COSTLY_LENGTH = 1000;
/** Names and labels are clipped to this length. */
export const NAME_LENGTH = 500;

/**
 * Splits a long text into blocks of at most `length` UTF-16 units, to be shown one below the other. Cuts at the end of a line, and drops
 * that line break; cuts after a space, or else between two characters, when the block has no line break.
 */
export function splitIntoBlocks(text: string, length: number = CLIPPED_LENGTH): string[] {
  const blocks: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + length;
    if (end >= text.length) return [...blocks, text.slice(start)];
    // Searches only the block: a search in the whole text could run back to its beginning.
    const lineEnd = start + text.slice(start, end + 1).lastIndexOf('\n');
    const wordEnd = start + text.slice(start, end).lastIndexOf(' ') + 1;
    const otherwise = wordEnd > start ? wordEnd : betweenCharacters(text, end);
    const cut = lineEnd > start ? lineEnd : otherwise;
    blocks.push(text.slice(start, cut));
    start = lineEnd > start ? cut + 1 : cut;
  }
  return blocks;
}

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
