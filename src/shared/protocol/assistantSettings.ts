import { z } from 'zod';
import { ASSISTANT_KEY_LENGTH, ASSISTANT_NAME_LENGTH, ASSISTANT_PROMPT_LENGTH } from '../limits.ts';

/** The endpoint from which the built-in platform's assistant gets its answers. */
export interface AssistantSettings {
  /** The base URL, for example `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** `null`: the endpoint's first model. */
  readonly model: string | null;
  readonly key: string | null;
  /** The system prompt; `null`: the platform's own. */
  readonly prompt: string | null;
}

/** The fields of the settings. */
export const ASSISTANT_FIELDS = [
  'url',
  'model',
  'key',
  'prompt',
] as const satisfies readonly (keyof AssistantSettings)[];
/** A field of the settings. */
export type AssistantField = (typeof ASSISTANT_FIELDS)[number];

/** A mistake in the settings: the field, and a sentence for the person. It never contains the key. */
export interface AssistantMistake {
  readonly field: AssistantField;
  readonly message: string;
}

/** Printable ASCII: what a header can contain. */
const KEY = /^[!-~]+$/;

const settingsSchema = z.strictObject({
  url: z.string().max(ASSISTANT_NAME_LENGTH, { error: 'The address is too long.' }).refine(isAddress, {
    error:
      'The address must begin with http:// or https:// and contain no user name, for example http://127.0.0.1:11434/v1',
  }),
  model: z
    .string()
    .min(1)
    .max(ASSISTANT_NAME_LENGTH, { error: 'The name of the model is too long.' })
    .nullable(),
  key: z
    .string()
    .max(ASSISTANT_KEY_LENGTH, { error: 'The key is too long.' })
    .regex(KEY, { error: 'The key contains a space or a character that no key has: copy it again.' })
    .nullable(),
  prompt: z
    .string()
    .min(1)
    .max(ASSISTANT_PROMPT_LENGTH, { error: 'The instructions are too long.' })
    .nullable(),
});

/** Validates settings. The messages of its issues are sentences for the person. */
export const assistantSettingsSchema: z.ZodType<AssistantSettings> = settingsSchema;

/** Returns the first mistake in the settings; `undefined` when they can be used. */
export function assistantMistake(settings: AssistantSettings): AssistantMistake | undefined {
  const [issue] = settingsSchema.safeParse(settings).error?.issues ?? [];
  if (issue === undefined) return undefined;
  return {
    field: ASSISTANT_FIELDS.find((field) => field === issue.path[0]) ?? 'url',
    message: issue.message,
  };
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text)) return false;
  return URL.canParse(text);
}

/** What the settings dialog shows about the assistant; `url` is `null` for the demonstration. */
export interface AssistantSummary {
  readonly url: string | null;
  readonly model: string | null;
}

/** Who answers, as the window says beside its text box. */
export interface AssistantInUse {
  readonly isDemonstration: boolean;
  /** `null` while it is not known: the endpoint's first. */
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

/** The result of a test or of a list of models, of saving, or of the choice of a model. */
export type AssistantResult =
  | { readonly kind: 'saved' }
  | { readonly kind: 'chosen' }
  | { readonly kind: 'tested'; readonly model: string; readonly models: readonly string[] }
  /** `message` says what is wrong and what to do; `field` is the field with the mistake, if it is one of a field. */
  | { readonly kind: 'failed'; readonly field: AssistantField | null; readonly message: string };
