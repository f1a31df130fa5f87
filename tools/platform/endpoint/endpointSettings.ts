import { z } from 'zod';
import type { Environment } from '#shared/settings.ts';
import { EndpointSettingsError } from './endpointSettingsError.ts';
import { parseEndpointUrl } from './parseEndpointUrl.ts';
import { readKeyFile } from './readKeyFile.ts';

/** Where the assistant's answers come from. */
export interface EndpointSettings {
  /** The base URL without a trailing slash, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** `null`: the endpoint's first. */
  readonly model: string | null;
  readonly key: string | null;
  /** The system prompt; `null`: a short default. */
  readonly prompt: string | null;
}

/** The lines of `--help` that describe these settings. */
export const ENDPOINT_SETTINGS_HELP = `  PARLEY_ASSISTANT_URL       the base URL of an OpenAI-compatible server, such as http://127.0.0.1:11434
                             (default: the app's settings; without them, the demonstration assistant)
  PARLEY_ASSISTANT_MODEL     the model (default: the server's first)
  PARLEY_ASSISTANT_KEY       the server's key, if it needs one
  PARLEY_ASSISTANT_KEY_FILE  a file with the key, instead of PARLEY_ASSISTANT_KEY; a file of yours with mode 0600
  PARLEY_ASSISTANT_PROMPT    the model’s instructions (default: a short text)`;

/** A key is one printable word: it is part of a header. */
const KEY = /^[\x21-\x7e]+$/;

const url = z.string().transform((text, { addIssue }) => {
  const parsed = parseEndpointUrl(text);
  if (parsed !== null) return parsed;
  addIssue(
    'takes an http or https address without a name, password or query, such as http://127.0.0.1:11434',
  );
  return z.NEVER;
});

const key = z.string().trim().regex(KEY, { error: 'takes a key: printable characters without spaces' });

const environmentSchema = z.object({
  PARLEY_ASSISTANT_URL: url.optional(),
  PARLEY_ASSISTANT_MODEL: z.string().optional(),
  PARLEY_ASSISTANT_KEY: key.optional(),
  PARLEY_ASSISTANT_KEY_FILE: z.string().optional(),
  PARLEY_ASSISTANT_PROMPT: z.string().optional(),
});

/** Returns the assistant's variables that are not blank: in a shell, empty variables are often the same as unset ones. */
const given = (environment: Environment) =>
  Object.fromEntries(
    Object.keys(environmentSchema.shape).flatMap((name) => {
      const value = environment[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );

/**
 * Reads the endpoint's settings from the environment; returns `null` when they name none.
 * @throws {EndpointSettingsError} for the first setting that cannot be used.
 */
export function readEndpointSettings(environment: Environment): EndpointSettings | null {
  const result = environmentSchema.safeParse(given(environment));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new EndpointSettingsError(`${issue?.path.join('.')} ${issue?.message}`);
  }
  const { PARLEY_ASSISTANT_URL, ...others } = result.data;
  if (PARLEY_ASSISTANT_URL === undefined) {
    const [other] = Object.keys(others);
    if (other === undefined) return null;
    throw new EndpointSettingsError(`${other} needs PARLEY_ASSISTANT_URL: set it too, or neither`);
  }
  return {
    url: PARLEY_ASSISTANT_URL,
    model: others.PARLEY_ASSISTANT_MODEL ?? null,
    key: keyOf(others),
    prompt: others.PARLEY_ASSISTANT_PROMPT ?? null,
  };
}

type Keys = Pick<z.infer<typeof environmentSchema>, 'PARLEY_ASSISTANT_KEY' | 'PARLEY_ASSISTANT_KEY_FILE'>;

function keyOf({ PARLEY_ASSISTANT_KEY, PARLEY_ASSISTANT_KEY_FILE }: Keys): string | null {
  if (PARLEY_ASSISTANT_KEY_FILE === undefined) return PARLEY_ASSISTANT_KEY ?? null;
  if (PARLEY_ASSISTANT_KEY !== undefined)
    throw new EndpointSettingsError(
      'PARLEY_ASSISTANT_KEY and PARLEY_ASSISTANT_KEY_FILE are both set: set one of them',
    );
  const result = key.safeParse(readKeyFile(PARLEY_ASSISTANT_KEY_FILE));
  if (result.success) return result.data;
  throw new EndpointSettingsError(
    'PARLEY_ASSISTANT_KEY_FILE names a file without a key: it takes one line of printable characters without spaces',
  );
}
