import { plainProse } from './plainProse.ts';
import type { AnswerItem } from './answerItem.ts';

/** A text item that is longer ends with its paragraph: an update repeats the whole text of an item. In UTF-16 units. */
const ITEM_LENGTH = 2000;

/** The prose of an answer that is still growing: the open paragraph, and the text item with the paragraphs before it. */
export interface Prose {
  /** Begins a line. */
  beginLine(): void;
  /** Adds characters to the line. */
  append(text: string): void;
  /** Hides the line until the next one begins or the paragraph ends: it can become the header of a table. */
  holdLine(): void;
  /** Returns the last line of the open paragraph; `undefined` without one, or when it was cut. */
  lastLine(): string | undefined;
  /** Removes the last line, unless it is all that the text item shows. */
  removeLastLine(): void;
  hasParagraph(): boolean;
  endParagraph(): void;
  /** Ends the text item. */
  endItem(): void;
  /** Brings the text of the item up to date. */
  refresh(): void;
}

/** Creates the prose of an answer. It adds its text items to `items`. */
export function createProse(items: AnswerItem[]): Prose {
  const item = createTextItem(items);
  const { take, cut, append, ...paragraph } = createParagraph();

  const endParagraph = () => {
    item.add(plainProse(take(), false));
    if (item.length > ITEM_LENGTH) item.end();
  };
  return {
    beginLine: paragraph.beginLine,
    append(text) {
      for (let rest = text; rest !== '';) {
        rest = append(rest);
        if (!paragraph.isFull()) continue;
        item.add(plainProse(cut(), false));
        item.end();
      }
    },
    holdLine: paragraph.holdLine,
    lastLine: paragraph.lastLine,
    removeLastLine: () => paragraph.removeLastLine(item.length > 0),
    hasParagraph: () => !paragraph.isEmpty(),
    endParagraph,
    endItem() {
      endParagraph();
      item.end();
    },
    refresh() {
      if (!paragraph.isEmpty()) item.show(plainProse(paragraph.shown(), true));
    },
  };
}

/** A paragraph that is longer is cut, if possible at white space. In UTF-16 units. */
const PARAGRAPH_LENGTH = 4000;

/** Creates a paragraph that is still growing. It knows its last line, which can become the header of a table. */
function createParagraph() {
  let text = '';
  let lineFrom: number | null = 0;
  let heldFrom: number | null = null;

  const set = (newText: string, from: number | null) => {
    text = newText;
    lineFrom = from;
    heldFrom = null;
  };
  return {
    /** Removes and returns all of it. */
    take(): string {
      const all = text;
      set('', 0);
      return all;
    },
    beginLine() {
      if (text !== '') text += '\n';
      set(text, text.length);
    },
    /** Adds characters up to the maximum length; returns those that are left. */
    append(added: string): string {
      const space = PARAGRAPH_LENGTH - text.length;
      text += added.slice(0, space);
      return added.slice(space);
    },
    isFull: () => text.length >= PARAGRAPH_LENGTH,
    /** Removes and returns what is before the best place for a cut. */
    cut(): string {
      const [before, rest] = cutText(text);
      set(rest, null);
      return before;
    },
    /** Hides the last line until the next one begins. */
    holdLine() {
      heldFrom = lineFrom;
    },
    /** Returns the last line; `undefined` without one, or when it was cut. */
    lastLine: () => (text === '' || lineFrom === null ? undefined : text.slice(lineFrom)),
    /** Removes the last line. If it is the only one, it stays unless it is hidden or `canBeEmpty`. */
    removeLastLine(canBeEmpty: boolean) {
      const before = text.slice(0, Math.max(0, (lineFrom ?? 0) - 1));
      if (before !== '' || heldFrom !== null || canBeEmpty) set(before, 0);
    },
    /** Returns the text without a hidden line. */
    shown: () => text.slice(0, heldFrom ?? undefined),
    isEmpty: () => text === '',
  };
}

/** Cuts a long paragraph after white space in its second half, or between two characters. */
function cutText(text: string): readonly [before: string, rest: string] {
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
  const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  const at = space > PARAGRAPH_LENGTH / 2 ? space : end;
  return [text.slice(0, at), text.slice(at)];
}

/** The text item that is still growing. It is added to the items when it has a text. */
interface TextItem {
  /** Shows a paragraph that is still growing below the complete ones. */
  show(paragraph: string): void;
  /** Adds a complete paragraph. */
  add(paragraph: string): void;
  /** Begins a new item with the next paragraph. */
  end(): void;
  /** The length of the complete paragraphs, in UTF-16 units. */
  readonly length: number;
}

/** Creates the growing text item of an answer. */
function createTextItem(items: AnswerItem[]): TextItem {
  let item: { readonly kind: 'text'; text: string } | null = null;
  let complete = '';

  const withParagraph = (paragraph: string) =>
    complete === '' || paragraph === '' ? complete + paragraph : `${complete}\n\n${paragraph}`;
  const show = (paragraph: string) => {
    const text = withParagraph(paragraph);
    if (text === '') return;
    if (item === null) {
      item = { kind: 'text', text };
      items.push(item);
    } else item.text = text;
  };
  return {
    show,
    add(paragraph) {
      complete = withParagraph(paragraph);
      show('');
    },
    end() {
      item = null;
      complete = '';
    },
    get length() {
      return complete.length;
    },
  };
}
