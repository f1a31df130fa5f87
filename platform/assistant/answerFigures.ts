import type { Clock } from '#shared/clock.ts';
import type { AnswerPart, EndpointErrorKind, Usage } from '../endpoint/endpoint.ts';

/** How an answer ended. `unread`: the question could not be sent. `dropped`: the account was deleted. */
export type AnswerOutcome =
  | 'complete'
  | 'length'
  | 'filtered'
  | 'stopped'
  | 'shutdown'
  | 'dropped'
  | 'unread'
  | 'unexpected'
  | EndpointErrorKind;

/** The figures of one answer, without texts and identifiers. */
export interface AnswerFigures {
  /** `null` when the model was not known yet. */
  readonly model: string | null;
  readonly outcome: AnswerOutcome;
  /** From the question to the end. */
  readonly durationMs: number;
  /** From the question to the first part of the answer; `null` when there was none. */
  readonly firstTokenMs: number | null;
  readonly promptTokens: number | null;
  /** `null`: the answer has no tokens. */
  readonly answerTokens: number | null;
  /** Whether the endpoint has not counted, so that `answerTokens` is the number of received parts. */
  readonly isEstimate: boolean;
}

/** Measures one answer. */
export interface AnswerMeter {
  add(part: AnswerPart): void;
  elapsedMs(): number;
  figures(model: string | null, outcome: AnswerOutcome): AnswerFigures;
}

/** Creates the meter of an answer whose question has just arrived. */
export function createAnswerMeter(clock: Clock): AnswerMeter {
  const start = clock.now();
  let first: number | null = null;
  let parts = 0;
  let usage: Usage | null = null;
  const elapsedMs = () => clock.now() - start;
  return {
    elapsedMs,
    add(part) {
      if (part.kind === 'usage') ({ usage } = part);
      if (part.kind !== 'text' && part.kind !== 'reasoning') return;
      first ??= elapsedMs();
      parts += 1;
    },
    figures: (model, outcome) => ({
      model,
      outcome,
      durationMs: elapsedMs(),
      firstTokenMs: first,
      promptTokens: usage?.promptTokens ?? null,
      answerTokens: usage?.answerTokens ?? (parts === 0 ? null : parts),
      isEstimate: usage === null,
    }),
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** Returns the figures as the label shows them: `312 tokens · first after 0.4 s · 38 tokens/s`; empty without an answer. */
function describeFigures({ answerTokens, durationMs, firstTokenMs, isEstimate }: AnswerFigures): string {
  if (answerTokens === null || firstTokenMs === null) return '';
  const count = `${isEstimate ? 'about ' : ''}${answerTokens} ${answerTokens === 1 ? 'token' : 'tokens'}`;
  const writing = durationMs - firstTokenMs;
  const speed = writing > 0 ? [`${Math.round((answerTokens * 1000) / writing)} tokens/s`] : [];
  return [count, `first after ${seconds(firstTokenMs)} s`, ...speed].join(' · ');
}

/** Shows the usage of answers in their labels, after the person has asked for it. */
interface UsageDisplay {
  /** Returns the label of a complete answer of the model with this name. */
  label(name: string, figures: AnswerFigures): string;
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
    label: (name, figures) =>
      isShown ? [name, describeFigures(figures)].filter((part) => part !== '').join(' · ') : name,
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
