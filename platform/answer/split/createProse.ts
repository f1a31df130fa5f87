import { plainProse } from '../prose/plainProse.ts';
import type { AnswerItem } from './answerItem.ts';
import { createParagraph } from './createParagraph.ts';
import { createTextItem } from './createTextItem.ts';

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
