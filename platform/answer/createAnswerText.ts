import type { AnswerPart } from '../endpoint/endpoint.ts';
import { type AnswerItems, createAnswerItems } from './createAnswerItems.ts';
import { createTextNormalizer } from './createTextNormalizer.ts';

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
