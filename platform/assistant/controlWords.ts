/** A word by which the person controls the assistant. */
export type AssistantWord = 'stop' | 'cancel' | 'again' | 'continue' | 'edit' | 'new topic' | 'usage';

/**
 * What a word does instead of being a message of the conversation. `edit`: the next message replaces the last question. `nothing`: it has been done already, such as the second `stop` of two windows that
 * send it at once.
 */
export type ControlWord = 'stop' | 'again' | 'continue' | 'edit' | 'new topic' | 'nothing';

/** The words that a client can offer as buttons. */
export const BUTTON_WORDS = [
  'stop',
  'again',
  'continue',
  'edit',
  'new topic',
] as const satisfies readonly AssistantWord[];

const WORDS: ReadonlyMap<string, AssistantWord> = new Map(
  ([...BUTTON_WORDS, 'cancel', 'usage'] as const).map((word) => [word, word]),
);

/** Returns the word that a text is, in any case and with spaces around it, or `null`. */
export const readAssistantWord = (text: string | null | undefined): AssistantWord | null =>
  WORDS.get((text ?? '').trim().toLowerCase()) ?? null;
