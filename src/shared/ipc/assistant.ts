import { z } from 'zod';
import { ASSISTANT_PROMPT_LENGTH } from '../limits.ts';
import type { AssistantField } from '../protocol/assistantSettings.ts';

/** What the settings dialog shows about the assistant; `url` is `null` for the demonstration. */
export interface AssistantSummary {
  readonly url: string | null;
  readonly model: string | null;
}

/** What the dialog "Assistant" shows. The key is in none of main's messages. */
export interface AssistantDialogData {
  /** An empty text: nothing is stored, and the demonstration answers. */
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  /** Whether a key is stored. */
  readonly hasKey: boolean;
  /** The environment variables that set the assistant. If there are any, the dialog changes nothing. */
  readonly variables: readonly string[];
}

/** Longer than any valid text: main answers with the mistake. */
const entered = z.string().max(2 * ASSISTANT_PROMPT_LENGTH);

/** The settings that a person entered in the dialog "Assistant". */
export const assistantChange = z
  .strictObject({
    url: entered,
    model: entered.nullable(),
    prompt: entered.nullable(),
    /** The entered key. */
    key: entered.nullable(),
    /** Whether the stored key is used; then no key was entered. */
    keepsKey: z.boolean(),
  })
  .readonly();
export type AssistantChange = z.infer<typeof assistantChange>;

/** The result of a test, or of saving. */
export type AssistantResult =
  | { readonly kind: 'saved' }
  | { readonly kind: 'tested'; readonly model: string; readonly models: readonly string[] }
  /** `message` says what is wrong and what to do; `field` is the field with the mistake, if it is one of a field. */
  | { readonly kind: 'failed'; readonly field: AssistantField | null; readonly message: string };
