import type { AnswerFrame } from './answerFrame.ts';

/** What a frame adds to an answer. */
export interface FrameWords {
  readonly thought: string;
  readonly text: string;
}

/** Returns the words of a frame. Its reasoning can be in one of several fields, also beside an empty one. */
export function wordsOf({ choices }: AnswerFrame): FrameWords {
  const [choice] = choices ?? [];
  const { content, refusal, reasoning_content, reasoning } = choice?.delta ?? choice?.message ?? {};
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const thoughts = parts.map((part) => ('thinking' in part ? thinkingOf(part.thinking) : ''));
  return {
    thought: `${reasoning_content || reasoning || ''}${thoughts.join('')}`,
    text: `${parts.map(({ text }) => text ?? '').join('')}${refusal ?? ''}`,
  };
}

type Content = NonNullable<NonNullable<AnswerFrame['choices']>[number]['delta']>['content'];
type Thinking = Exclude<Content, string | null | undefined>[number]['thinking'];

const thinkingOf = (thinking: Thinking): string =>
  typeof thinking === 'string' ? thinking : (thinking ?? []).map(({ text }) => text ?? '').join('');

/** Returns the finish reason of a frame; `null` while the answer runs, for which some servers send an empty one. */
export const finishReasonOf = ({ choices }: AnswerFrame): string | null =>
  choices?.[0]?.finish_reason || null;

/** Returns the error that a frame reports; `null` for none. */
export function errorOf({ error, object, message, code }: AnswerFrame): unknown {
  if (error !== undefined && error !== null) return error;
  return object === 'error' ? { message, code } : null;
}
