import type { AnswerItem } from './split/answerItem.ts';
import { type GrowingBlock, type Splitter, createSplitter } from './split/createSplitter.ts';

/** The items of an answer while it grows. */
export interface AnswerItems {
  readonly items: readonly AnswerItem[];
  /** Whether the newest part is reasoning. */
  readonly isThinking: boolean;
  /** Grows when items were replaced. */
  readonly version: number;
  addText(text: string): void;
  addReasoning(text: string): void;
  /** Replaces the text so far by an item of reasoning. */
  collapse(thought: string): void;
  /** Ends the answer, with a note as its last item if there is one. */
  end(note?: string): void;
  /** Brings the text of the open text item up to date. */
  refresh(): void;
  openBlock(): GrowingBlock | null;
}

/** Creates the items of an answer. Reasoning becomes an item when text follows it; reasoning that follows text ends an open block. */
export function createAnswerItems(): AnswerItems {
  const items: AnswerItem[] = [];
  let splitter: Splitter = createSplitter(items);
  let reasoning = '';
  let version = 0;

  const endReasoning = () => {
    if (reasoning !== '') items.push({ kind: 'reasoning', source: reasoning.trim() });
    reasoning = '';
  };
  const endText = () => {
    splitter.end();
    splitter = createSplitter(items);
  };
  return {
    items,
    get isThinking() {
      return reasoning !== '';
    },
    get version() {
      return version;
    },
    addText(text) {
      if (text.trim() !== '') endReasoning();
      splitter.add(text);
    },
    addReasoning(text) {
      if (reasoning === '' && text.trim() === '') return;
      if (reasoning === '') endText();
      reasoning += text;
    },
    collapse(thought) {
      endText();
      endReasoning();
      const kept = items.filter(({ kind }) => kind === 'reasoning');
      if (kept.length < items.length) version += 1;
      if (thought.trim() !== '') kept.push({ kind: 'reasoning', source: thought.trim() });
      items.splice(0, items.length, ...kept);
    },
    end(note) {
      endText();
      endReasoning();
      if (note !== undefined) items.push({ kind: 'note', text: note });
    },
    refresh: () => splitter.refresh(),
    openBlock: () => splitter.openBlock(),
  };
}
