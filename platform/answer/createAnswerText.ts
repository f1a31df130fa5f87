import type { AnswerPart } from '../endpoint/endpoint.ts';
import type { AnswerItem } from './answerItem.ts';
import { type GrowingBlock, type Splitter, createSplitter } from './createSplitter.ts';

/** The text of an answer while it grows: its items, and what is not an item yet. */
export interface AnswerText extends Pick<AnswerItems, 'items' | 'version' | 'end' | 'refresh' | 'openBlock'> {
  /** The Markdown of the answer so far, without reasoning. */
  readonly source: string;
  /** Whether the newest part is reasoning, or is taken for it. */
  readonly isThinking: boolean;
  add(part: AnswerPart): void;
}

/**
 * Creates the text of an answer.
 *
 * @param expectsReasoning whether text is held back as reasoning until `reasoningEnded`. A complete answer without it was text.
 */
export function createAnswerText(expectsReasoning = false): AnswerText {
  const answer = createAnswerItems();
  const normalizers = { text: createTextNormalizer(), reasoning: createTextNormalizer() };
  let source = '';
  let isHeld = expectsReasoning;

  const addText = (text: string) => {
    source += text;
    if (!isHeld) answer.addText(text);
  };
  const showHeld = () => {
    if (!isHeld) return;
    isHeld = false;
    answer.addText(source);
  };
  const collapse = () => {
    answer.collapse(source + normalizers.text.end());
    source = '';
    isHeld = false;
  };
  return {
    ...answer,
    get source() {
      return isHeld ? '' : source;
    },
    get version() {
      return answer.version;
    },
    get isThinking() {
      return answer.isThinking || (isHeld && source !== '');
    },
    add(part) {
      if (part.kind === 'reasoning') {
        showHeld();
        answer.addReasoning(normalizers.reasoning.add(part.text));
      } else if (part.kind === 'text') addText(normalizers.text.add(part.text));
      else if (part.kind === 'reasoningEnded') collapse();
      else if (part.kind === 'end' && part.reason === 'stop') showHeld();
    },
    end(note) {
      if (isHeld) collapse();
      answer.addReasoning(normalizers.reasoning.end());
      addText(normalizers.text.end());
      answer.end(note);
    },
  };
}

/** The items of an answer while it grows. */
interface AnswerItems {
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
function createAnswerItems(): AnswerItems {
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

/** Normalizes the text of an answer, whose parts can be cut anywhere. */
interface TextNormalizer {
  /** Returns the part as far as it is complete: a carriage return or half a character at its end waits for the next part. */
  add(text: string): string;
  /** Returns what still waits. */
  end(): string;
}

/** Characters that can be the first half of a pair: a high surrogate, and the carriage return of CRLF. */
const HALF = /[\uD800-\uDBFF\r]$/;

/** Creates a normalizer: line ends become `\n`, and a lone surrogate becomes U+FFFD. */
function createTextNormalizer(): TextNormalizer {
  let waiting = '';
  return {
    add(text) {
      const all = waiting + text;
      waiting = HALF.exec(all)?.[0] ?? '';
      return normalize(all.slice(0, all.length - waiting.length));
    },
    end() {
      const rest = normalize(waiting);
      waiting = '';
      return rest;
    },
  };
}

const normalize = (text: string): string => text.replaceAll(/\r\n?/g, '\n').toWellFormed();
