/** The position of a content item in its message; it determines the corners of the bubble (spec §2.5). */
export type Position = 'none' | 'first' | 'middle' | 'last';

/** Returns the position of item `index` of `count`. */
export function positionOf(index: number, count: number): Position {
  if (count === 1) return 'none';
  if (index === 0) return 'first';
  return index === count - 1 ? 'last' : 'middle';
}

/** The side of the conversation on which a message is shown (spec §2.5). */
type Side = 'left' | 'right' | 'centre';

const SIDES: ReadonlyMap<string | undefined, Side> = new Map([
  ['client', 'right'],
  ['admin', 'centre'],
]);

/** Returns the side of a message by its modifier; all other messages are on the left (spec §2.5). */
export const sideOf = (modifier: string | undefined): Side => SIDES.get(modifier) ?? 'left';

/**
 * Returns the first letters, of any script, of the first and of the last word in upper case (spec §2.6); for a name of one word, its
 * letter twice (contract §3). Skips other characters and words without a letter; returns an empty string for a name without letters.
 */
export function initialsOf(name: string): string {
  const ends = name.slice(0, NAME_END) + name.slice(-NAME_END);
  const letters = ends.split(/\s/u).flatMap((word) => /\p{L}/u.exec(word) ?? []);
  return [letters.at(0), letters.at(-1)].map((letter) => letter?.toUpperCase() ?? '').join('');
}

/**
 * The length of the beginning and of the end of a name that are used, in UTF-16 units. In a name of up to twice the length both overlap: its first
 * and its last word stay the same.
 */
const NAME_END = 500;

/** Displayed in place of an empty text (spec §2.4). */
export const PLACEHOLDER = '...';

/** Returns the text of an item as it is displayed. */
export const displayedText = (text: string | null | undefined): string => text || PLACEHOLDER;

/** The categories with their own display. Content of any other category is a downloadable file (spec §2.4). */
const SHOWN_CATEGORIES = ['text', 'audio', 'html', 'image'] as const;

/** A category that is displayed in its own way; every other one is displayed as a file. */
type DisplayedCategory = (typeof SHOWN_CATEGORIES)[number] | 'file';

const SHOWN: ReadonlySet<string | undefined> = new Set(SHOWN_CATEGORIES);

const isShown = (category: string | undefined): category is DisplayedCategory => SHOWN.has(category);

/** Returns how content of a category is displayed. */
export const displayedCategory = (category: string | undefined): DisplayedCategory =>
  isShown(category) ? category : 'file';

/** Returns whether the label of an answer says that more of it follows. */
export const isRunning = (label: string): boolean => label.trimEnd().endsWith('…');
