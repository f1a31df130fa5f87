import type { Message } from '#shared/protocol/update.ts';
import { ASSISTANT } from '../assistant.ts';

/**
 * A message of the model's assistant has a field of its own, so that its answers can be told from other messages when the
 * context is built. Clients keep fields that they do not know.
 */
export interface MarkedMessage extends Message {
  /** The model that wrote this answer. */
  readonly model?: string;
  /** The platform says this, not the model. */
  readonly notice?: boolean;
  /** The words of an earlier recording, which were heard later. */
  readonly heard?: string;
}

/** The labels of an answer that has ended. The client offers its buttons by these endings. */
export const LABELS = {
  complete: ASSISTANT,
  stopped: `${ASSISTANT} · stopped`,
  cut: `${ASSISTANT} · cut off`,
} as const;

/** The label while an answer runs. */
export const WRITING = `${ASSISTANT} is writing…`;

/** Returns whether a label says that its answer runs. */
export const saysItRuns = (label: string | undefined): boolean => label?.endsWith('…') === true;

/** Returns whether an answer has ended before its end. */
export const canContinue = ({ context }: Message): boolean =>
  context === LABELS.stopped || context === LABELS.cut || saysItRuns(context);

/** Returns whether a message is an answer of a model. */
export const isAnswer = (message: MarkedMessage): boolean => message.model !== undefined;

/** Returns whether a message is of another assistant: what was said before it belongs to another conversation. */
export const isForeign = (message: MarkedMessage): boolean =>
  message.modifier === 'ai' && !isAnswer(message) && message.notice !== true;
