import { ASSISTANT } from '../assistant.ts';
import { type AnswerFigures, describeFigures } from './answerFigures.ts';

/** Shows the usage of answers in their labels, after the person has asked for it. */
export interface UsageDisplay {
  /** Returns the label of a complete answer. */
  label(figures: AnswerFigures): string;
  /** Keeps the figures of an answer that has ended. */
  add(figures: AnswerFigures): void;
  /** Shows or hides the usage; returns what the person reads then, with the last answer's figures. */
  toggle(): string;
}

/** Creates the display of a conversation. It shows nothing at first. */
export function createUsageDisplay(): UsageDisplay {
  let isShown = false;
  let last: AnswerFigures | null = null;
  return {
    label: (figures) =>
      isShown ? [ASSISTANT, describeFigures(figures)].filter((part) => part !== '').join(' · ') : ASSISTANT,
    add(figures) {
      if (figures.answerTokens !== null) last = figures;
    },
    toggle() {
      isShown = !isShown;
      const change = isShown
        ? 'From now on, the label of each answer shows its usage.'
        : 'The labels show no usage any more.';
      const figures =
        last === null ? 'No answer was measured yet.' : `The last answer: ${describeFigures(last)}.`;
      return `${change} ${figures}`;
    },
  };
}
