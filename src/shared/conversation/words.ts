import type { Snapshot } from '../protocol/update.ts';

/**
 * Words that a person can send as ordinary messages, and that an assistant may understand as requests about its answer: `stop` ends it, `again` asks for
 * another one, `continue` continues one that was stopped or cut off.
 */
export const WORDS = ['stop', 'again', 'continue'] as const;

/** One of {@link WORDS}. */
export type Word = (typeof WORDS)[number];

/** No words: the assistant understands none of them, or the platform does not say so. */
export const NO_WORDS: readonly Word[] = [];

/** Returns the words of the field `words` of a snapshot, which the specification leaves open; every other value in it is skipped. */
export function wordsOf(snapshot: Snapshot): readonly Word[] {
  const named: unknown = 'words' in snapshot ? snapshot.words : undefined;
  if (!Array.isArray(named)) return NO_WORDS;
  const words = WORDS.filter((word) => named.includes(word));
  return words.length === 0 ? NO_WORDS : words;
}
