import type { ContentItem } from '#shared/protocol/update.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { ITEM_LENGTH, cutItem } from './cutItem.ts';

/** What the text of an item is (contract §9). */
type Format = 'markdown' | 'reasoning';

/** An item of an answer, as the client keeps it. */
export type AnswerItem = ContentItem & { readonly format: Format };

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

/**
 * The items of an answer while it grows, and what the client has of them: an empty one at first. Consecutive items of a format are one source, cut where an
 * item becomes too long.
 */
export class AnswerItems {
  #items: Item[] = [{ format: 'markdown', text: '' }];
  readonly #beginnings = { markdown: createBeginning(), reasoning: createBeginning() };
  /** The client's last item: its place, the length of its text, and the fence that is open at its beginning. */
  #shown = 0;
  #sent = 0;
  #fence = '';
  #isReplaced = false;

  /** Whether the model has said something that is not reasoning. */
  get hasText(): boolean {
    return this.#items.some(({ format, text }) => format === 'markdown' && text !== '');
  }

  /** Whether there is something to show: text or reasoning. */
  get hasContent(): boolean {
    return this.#items.some(({ text }) => text !== '');
  }

  /** Whether the newest words are reasoning, or there are none yet. */
  get isThinking(): boolean {
    const last = this.#items.at(-1);
    return last?.format === 'reasoning' || last?.text === '';
  }

  add(part: AnswerPart): void {
    if (part.kind === 'text') this.#append('markdown', part.text);
    else if (part.kind === 'reasoning') this.#append('reasoning', part.text);
    else if (part.kind === 'reasoningEnded') this.#collapse();
  }

  /** Adds half of a character that still waits for the other one. */
  end(): void {
    const last = this.#items.at(-1);
    const rest = last && this.#beginnings[last.format].end();
    if (last !== undefined && (last.text + rest).trim() !== '') last.text += rest;
  }

  /** Returns all items, as the client has them after this. */
  takeAll(): readonly AnswerItem[] {
    this.#isReplaced = false;
    this.#shown = this.#items.length - 1;
    this.#sent = this.#items[this.#shown]?.text.length ?? 0;
    this.#fence = '';
    return this.#items.map(toContentItem);
  }

  /**
   * Returns the next change of the client's items: all of them, when what was text is reasoning; a new item; or the text of the last one. Returns `undefined`
   * when the client has everything.
   *
   * @param isHurried whether as few changes as possible are wanted.
   */
  next(isHurried: boolean): ItemChange | undefined {
    if (this.#isReplaced) return { kind: 'replaced', items: this.takeAll() };
    const item = this.#items[this.#shown];
    if (item !== undefined && item.text.length > this.#sent) {
      this.#cut(item, isHurried);
      if (item.text.length > this.#sent) {
        this.#sent = item.text.length;
        return { kind: 'text', text: item.text };
      }
    }
    const next = this.#items[this.#shown + 1];
    if (next === undefined) return undefined;
    if (next.format !== item?.format) this.#fence = '';
    this.#shown += 1;
    this.#sent = next.text.length;
    return { kind: 'item', item: toContentItem(next) };
  }

  #append(format: Format, text: string): void {
    const last = this.#items.at(-1);
    const continues = last?.format === format;
    const added = this.#beginnings[format].add(text, continues && last.text !== '');
    if (added === '') return;
    if (continues) last.text += added;
    else this.#items.push({ format, text: added });
  }

  /** Makes everything so far one item of reasoning. */
  #collapse(): void {
    if (!this.hasText) return;
    const reasoning: Item = { format: 'reasoning', text: this.#items.map(({ text }) => text).join('') };
    this.#isReplaced ||= this.#shown > 0 || this.#sent > 0;
    this.#items = this.#isReplaced ? [reasoning] : [{ format: 'markdown', text: '' }, reasoning];
  }

  /** Ends the client's last item if it is too long. */
  #cut(item: Item, isHurried: boolean): void {
    if (item.text.length <= ITEM_LENGTH) return;
    const text = isHurried ? item.text.slice(0, this.#sent) : item.text;
    const { at, fence } = cutItem(text, { sent: this.#sent, fence: this.#fence });
    if (at === item.text.length) return;
    this.#fence = fence;
    this.#items.splice(this.#shown + 1, 0, { format: item.format, text: item.text.slice(at) });
    item.text = item.text.slice(0, at);
  }
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
