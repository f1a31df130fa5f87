import type { AnswerFrame } from './answerFrame.ts';

/** What a frame adds to an answer. */
export interface FrameContents {
  readonly thought: string;
  readonly text: string;
  /** `null` while the answer runs, for which some servers send an empty reason. */
  readonly finishReason: string | null;
  /** What the endpoint reports; `null` for no error. */
  readonly error: unknown;
}

/** Reads a frame. Its reasoning can be in one of several fields, also beside an empty one. */
export function readFrame(frame: AnswerFrame): FrameContents {
  const [choice] = frame.choices ?? [];
  const { content, refusal, reasoning_content, reasoning } = choice?.delta ?? choice?.message ?? {};
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const thoughts = parts.map((part) => ('thinking' in part ? thinkingOf(part.thinking) : ''));
  return {
    thought: `${reasoning_content || reasoning || ''}${thoughts.join('')}`,
    text: `${parts.map(({ text }) => text ?? '').join('')}${refusal ?? ''}`,
    finishReason: choice?.finish_reason || null,
    error: errorOf(frame),
  };
}

type Content = NonNullable<NonNullable<AnswerFrame['choices']>[number]['delta']>['content'];
type Thinking = Exclude<Content, string | null | undefined>[number]['thinking'];

const thinkingOf = (thinking: Thinking): string =>
  typeof thinking === 'string' ? thinking : (thinking ?? []).map(({ text }) => text ?? '').join('');

function errorOf({ error, object, message, code }: AnswerFrame): unknown {
  if (error !== undefined && error !== null) return error;
  return object === 'error' ? { message, code } : null;
}
