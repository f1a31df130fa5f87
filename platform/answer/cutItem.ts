import { betweenCharacters } from '#shared/formatText.ts';

/** An item of an answer ends before it has more characters than this (contract §9), in UTF-16 units. */
export const ITEM_LENGTH = 2000;
/** Up to this length, an item ends at a better place. */
const LONGEST_ITEM = 4000;

/** Where an item of an answer ends. */
interface Cut {
  /** The number of characters of the item. */
  readonly at: number;
  /** The fence of code that is open there; empty outside of code. */
  readonly fence: string;
}

/** Matches a line that can begin or end fenced code. */
const FENCE = /^[ \t]*(?<fence>`{3,}|~{3,})(?<rest>[^\n]*)/;

/**
 * Returns where an item of an answer ends whose text has become too long (contract §9): at the end of a block after what was sent, at the end of a line, or
 * between two characters. Reads the text once.
 *
 * @param text the text of the item, with everything that has arrived.
 * @param options.sent the number of characters that the client has: they stay in the item.
 * @param options.fence the fence of code that is open at the beginning of the item.
 */
export function cutItem(
  text: string,
  { sent, fence }: { readonly sent: number; readonly fence: string },
): Cut {
  const limit = Math.max(sent, Math.min(text.length, LONGEST_ITEM));
  let open = fence;
  let block: Cut | null = null;
  let line: Cut | null = null;
  for (let from = 0; from < limit;) {
    const end = text.indexOf('\n', from) + 1;
    if (end === 0 || end > limit) break;
    const words = text.slice(from, Math.min(end, from + LINE_LENGTH)).trimEnd();
    open = fenceAfter(open, words);
    const cut = { at: end, fence: open };
    if (end >= sent) line = cut;
    if (end >= sent && open === '' && words === '') block = cut;
    from = end;
  }
  return block ?? line ?? { at: betweenCharacters(text, sent === 0 ? limit : sent), fence: open };
}

/** Only the beginning of a line decides whether it is a fence. In UTF-16 units. */
const LINE_LENGTH = 200;

/** Returns the fence that is open after a line. */
function fenceAfter(open: string, line: string): string {
  const { fence = '', rest = '' } = FENCE.exec(line)?.groups ?? {};
  if (open === '') return fence.startsWith('`') && rest.includes('`') ? '' : fence;
  return fence.startsWith(open) && rest === '' ? '' : open;
}
