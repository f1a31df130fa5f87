import type { AnswerPart } from '../endpoint/endpoint.ts';
import type { AnswerItem } from './split/answerItem.ts';
import { type GrowingBlock, type Splitter, createSplitter } from './split/createSplitter.ts';
import { createTextNormalizer } from './createTextNormalizer.ts';

/** The text of an answer while it grows: its items, and what is not an item yet. */
export interface AnswerText {
  readonly items: readonly AnswerItem[];
  /** The Markdown of the answer so far, without reasoning. */
  readonly source: string;
  /** Whether the newest part is reasoning. */
  readonly isThinking: boolean;
  add(part: AnswerPart): void;
  /** Ends the answer, with a note as its last item if there is one. */
  end(note?: string): void;
  /** Brings the text of the open text item up to date. */
  refresh(): void;
  openBlock(): GrowingBlock | null;
}

/** Creates the text of an answer. Reasoning becomes an item when text follows it; reasoning that follows text ends an open block. */
export function createAnswerText(): AnswerText {
  const items: AnswerItem[] = [];
  const normalizers = { text: createTextNormalizer(), reasoning: createTextNormalizer() };
  let splitter: Splitter = createSplitter(items);
  let source = '';
  let reasoning = '';

  const endReasoning = () => {
    if (reasoning !== '') items.push({ kind: 'reasoning', source: reasoning.trim() });
    reasoning = '';
  };
  const endText = () => {
    splitter.end();
    splitter = createSplitter(items);
  };
  const addText = (text: string) => {
    source += text;
    if (text.trim() !== '') endReasoning();
    splitter.add(text);
  };
  const addReasoning = (text: string) => {
    if (reasoning === '' && text.trim() === '') return;
    if (reasoning === '') endText();
    reasoning += text;
  };

  return {
    items,
    get source() {
      return source;
    },
    get isThinking() {
      return reasoning !== '';
    },
    add(part) {
      if (part.kind === 'text') addText(normalizers.text.add(part.text));
      else if (part.kind === 'reasoning') addReasoning(normalizers.reasoning.add(part.text));
    },
    end(note) {
      addReasoning(normalizers.reasoning.end());
      addText(normalizers.text.end());
      endText();
      endReasoning();
      if (note !== undefined) items.push({ kind: 'note', text: note });
    },
    refresh: () => splitter.refresh(),
    openBlock: () => splitter.openBlock(),
  };
}
