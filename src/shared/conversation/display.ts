/** Where a content item stands in its message; it only changes the corners of its bubble (spec §2.5). */
export type Position = 'none' | 'first' | 'middle' | 'last';

/** The position of item `index` of `count`. */
export function positionOf(index: number, count: number): Position {
  if (count === 1) return 'none';
  if (index === 0) return 'first';
  return index === count - 1 ? 'last' : 'middle';
}

/**
 * The first letter of the first and of the last word, upper-cased (spec §2.6); a one-word name has its letter twice
 * (contract §3). Nothing of no name.
 */
export function initialsOf(name: string): string {
  const bounded = name.length <= MOST_NAME ? name : name.slice(0, MOST_NAME / 2) + name.slice(-MOST_NAME / 2);
  const words = bounded.split(/\s+/u).filter((word) => word !== '');
  return [words.at(0), words.at(-1)].map((word) => firstLetter(word ?? '')).join('');
}

/** Of a longer name only its beginning and its end are looked at, in UTF-16 units. */
const MOST_NAME = 1000;

const firstLetter = (word: string) => (Array.from(word)[0] ?? '').toUpperCase();

/** What an empty text is displayed as (spec §2.4). */
export const PLACEHOLDER = '...';

/** The text of an item as it is displayed. */
export const displayedText = (text: string | null | undefined): string => text || PLACEHOLDER;

/** The categories that are shown as what they are; content of any other is a downloadable file (spec §2.4). */
const SHOWN_CATEGORIES = ['text', 'audio', 'html', 'image'] as const;

export type DisplayedCategory = (typeof SHOWN_CATEGORIES)[number] | 'file';

const SHOWN: ReadonlySet<string | undefined> = new Set(SHOWN_CATEGORIES);

const isShown = (category: string | undefined): category is DisplayedCategory => SHOWN.has(category);

/** Returns how content of a category is shown. */
export const displayedCategory = (category: string | undefined): DisplayedCategory =>
  isShown(category) ? category : 'file';
