/** A word by which the person controls the assistant. */
export type AssistantWord = 'stop' | 'again' | 'continue' | 'usage';

/** The words that a client can offer as buttons. */
export const BUTTON_WORDS = ['stop', 'again', 'continue'] as const satisfies readonly AssistantWord[];

const WORDS: ReadonlyMap<string, AssistantWord> = new Map(
  ([...BUTTON_WORDS, 'usage'] as const).map((word) => [word, word]),
);

/** Returns the word that a text is, in any case and with spaces around it, or `null`. */
export const readAssistantWord = (text: string | null | undefined): AssistantWord | null =>
  WORDS.get((text ?? '').trim().toLowerCase()) ?? null;
