import type { ContentItem } from '#shared/protocol/update.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { ITEM_LENGTH, cutItem } from './cutItem.ts';

/** What the text of an item is (contract §9). */
type Format = 'markdown' | 'reasoning';

/** An item of an answer, as the client keeps it. */
export type AnswerItem = ContentItem & { readonly format: Format };

/** The items of an answer while it grows, and what the client has of them. */
export interface AnswerItems {
  /** Whether the model has said something that is not reasoning. */
  readonly hasText: boolean;
  /** Whether there is something to show: text or reasoning. */
  readonly hasContent: boolean;
  /** Whether the newest words are reasoning, or there are none yet. */
  readonly isThinking: boolean;
  add(part: AnswerPart): void;
  /** Adds half of a character that still waits for the other one. */
  end(): void;
  /** Returns all items, as the client has them after this. */
  takeAll(): readonly AnswerItem[];
  /**
   * Returns the next change of the client's items: all of them, when what was text is reasoning; a new item; or the text of the last one. Returns `undefined`
   * when the client has everything.
   *
   * @param isHurried whether as few changes as possible are wanted.
   */
  next(isHurried: boolean): ItemChange | undefined;
}

/** A change of the client's items. */
export type ItemChange =
  | { readonly kind: 'replaced'; readonly items: readonly AnswerItem[] }
  | { readonly kind: 'item'; readonly item: AnswerItem }
  | { readonly kind: 'text'; readonly text: string };

/** One item: its format, and its text so far. */
interface Item {
  readonly format: Format;
  text: string;
}

/** Creates the items of an answer: an empty one at first. Consecutive items of a format are one source, cut where an item becomes too long. */
export function createAnswerItems(): AnswerItems {
  let items: Item[] = [{ format: 'markdown', text: '' }];
  const beginnings = { markdown: createBeginning(), reasoning: createBeginning() };
  /** The client's last item, by its place, the length of its text, and the fence that is open at its beginning. */
  let shown = 0;
  let sent = 0;
  let fence = '';
  let isReplaced = false;

  const append = (format: Format, text: string) => {
    const last = items.at(-1);
    const continues = last?.format === format;
    const added = beginnings[format].add(text, continues && last.text !== '');
    if (added === '') return;
    if (continues) last.text += added;
    else items.push({ format, text: added });
  };
  const hasText = () => items.some(({ format, text }) => format === 'markdown' && text !== '');
  /** Makes everything so far one item of reasoning. */
  const collapse = () => {
    if (!hasText()) return;
    const thought = items.map(({ text }) => text).join('');
    isReplaced ||= shown > 0 || sent > 0;
    const reasoning: Item = { format: 'reasoning', text: thought };
    items = isReplaced ? [reasoning] : [{ format: 'markdown', text: '' }, reasoning];
  };
  /** Ends the client's last item if it is too long. */
  const cut = (item: Item, isHurried: boolean) => {
    if (item.text.length <= ITEM_LENGTH) return;
    const end = cutItem(item.text.slice(0, isHurried ? sent : undefined), { sent, fence });
    if (end.at === item.text.length) return;
    ({ fence } = end);
    items.splice(shown + 1, 0, { format: item.format, text: item.text.slice(end.at) });
    item.text = item.text.slice(0, end.at);
  };
  const takeAll = () => {
    isReplaced = false;
    shown = items.length - 1;
    sent = items[shown]?.text.length ?? 0;
    fence = '';
    return items.map(toContentItem);
  };

  return {
    get hasText() {
      return hasText();
    },
    get hasContent() {
      return items.some(({ text }) => text !== '');
    },
    get isThinking() {
      const last = items.at(-1);
      return last?.format === 'reasoning' || last?.text === '';
    },
    add(part) {
      if (part.kind === 'text') append('markdown', part.text);
      else if (part.kind === 'reasoning') append('reasoning', part.text);
      else if (part.kind === 'reasoningEnded') collapse();
    },
    end() {
      const last = items.at(-1);
      const rest = last && beginnings[last.format].end();
      if (last !== undefined && (last.text + rest).trim() !== '') last.text += rest;
    },
    takeAll,
    next(isHurried) {
      if (isReplaced) return { kind: 'replaced', items: takeAll() };
      const item = items[shown];
      if (item !== undefined && item.text.length > sent) {
        cut(item, isHurried);
        if (item.text.length > sent) {
          sent = item.text.length;
          return { kind: 'text', text: item.text };
        }
      }
      const next = items[shown + 1];
      if (next === undefined) return undefined;
      if (next.format !== item?.format) fence = '';
      shown += 1;
      sent = next.text.length;
      return { kind: 'item', item: toContentItem(next) };
    },
  };
}

const toContentItem = ({ format, text }: Item): AnswerItem => ({
  category: 'text',
  text,
  html: null,
  blob: null,
  format,
});

/** The first half of a character, at the end of a part. */
const HALF = /[\uD800-\uDBFF]$/;

/** What waits for the next part: half of a character, and spaces at the beginning of a source, which show nothing. */
function createBeginning() {
  let waiting = '';
  return {
    /** Returns what can be shown now. */
    add(text: string, hasBegun: boolean): string {
      const all = waiting + text;
      waiting = !hasBegun && all.trim() === '' ? all : (HALF.exec(all)?.[0] ?? '');
      return all.slice(0, all.length - waiting.length).toWellFormed();
    },
    end: (): string => waiting.toWellFormed(),
  };
}
