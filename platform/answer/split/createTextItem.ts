import type { AnswerItem } from './answerItem.ts';

/** The text item that is still growing. It is added to the items when it has a text. */
export interface TextItem {
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
export function createTextItem(items: AnswerItem[]): TextItem {
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
