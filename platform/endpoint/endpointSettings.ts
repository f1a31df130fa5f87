import { z } from 'zod';
import type { Environment } from '#shared/settings.ts';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readErrorReason, quoteForShell } from '#node/fileErrorReason.ts';

/** Where the assistant's answers come from. */
export interface EndpointSettings {
  /** The base URL without a trailing slash, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** `null`: the endpoint's first. */
  readonly model: string | null;
  readonly key: string | null;
  /** The system prompt; `null`: a short default. */
  readonly prompt: string | null;
  /** The time in seconds for the first part of an answer; 600 by default. */
  readonly firstByteS?: number;
}

/** The lines of `--help` that describe these settings. */
export const ENDPOINT_SETTINGS_HELP = `  PARLEY_ASSISTANT_URL       the base URL of an OpenAI-compatible server, such as http://127.0.0.1:11434
                             (default: the app's settings; without them, the demonstration assistant)
  PARLEY_ASSISTANT_MODEL     the model (default: the server's first)
  PARLEY_ASSISTANT_KEY       the server's key, if it needs one
  PARLEY_ASSISTANT_KEY_FILE  a file with the key, instead of PARLEY_ASSISTANT_KEY; a file of yours with mode 0600
  PARLEY_ASSISTANT_PROMPT    the model’s instructions (default: a short text)
  PARLEY_ASSISTANT_FIRST_BYTE_S
                             the longest wait for the start of an answer, in seconds (default: 600)`;

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

const firstByteS = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: 'takes a whole number of seconds from 1 to 99999' })
  .transform(Number);

const environmentSchema = z.object({
  PARLEY_ASSISTANT_URL: url.optional(),
  PARLEY_ASSISTANT_MODEL: z.string().optional(),
  PARLEY_ASSISTANT_KEY: key.optional(),
  PARLEY_ASSISTANT_KEY_FILE: z.string().optional(),
  PARLEY_ASSISTANT_PROMPT: z.string().optional(),
  PARLEY_ASSISTANT_FIRST_BYTE_S: firstByteS.optional(),
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
    ...(others.PARLEY_ASSISTANT_FIRST_BYTE_S !== undefined && {
      firstByteS: others.PARLEY_ASSISTANT_FIRST_BYTE_S,
    }),
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

/** A setting of the endpoint cannot be used. `message` is one line that names the variable and says what to do. */
export class EndpointSettingsError extends Error {
  override readonly name = 'EndpointSettingsError';
}

const PROTOCOLS = new Set(['http:', 'https:']);
/** What people copy from an example instead of the base URL. */
const FULL_PATH = /\/(?:chat\/completions|completions|models)$/;

/**
 * Returns the base URL of an endpoint without a trailing slash; a URL without a path gets `/v1`. Returns `null` for a text that
 * is not an http or https address, or has a name, a password, a query or a fragment.
 */
export function parseEndpointUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (!PROTOCOLS.has(protocol) || [username, password, search, hash].some((part) => part !== '')) return null;
  const path = pathname.replace(/\/+$/, '').replace(FULL_PATH, '');
  return `${protocol}//${host}${path || '/v1'}`;
}

const OPEN_TO_OTHERS = 0o077;
/** No key is longer. */
const MAX_BYTES = 16_384;

const refuse = (what: string) => new EndpointSettingsError(`PARLEY_ASSISTANT_KEY_FILE ${what}`);

/**
 * Reads the text of a key's file. It must belong to this user and must not be accessible to others, except on Windows, which uses
 * access lists instead.
 * @throws {EndpointSettingsError}
 */
function readKeyFile(path: string): string {
  const file = open(path);
  try {
    const stats = fstatSync(file);
    const quoted = quoteForShell(path);
    if (!stats.isFile()) throw refuse(`names ${quoted}, which is not a file: name a file with the key`);
    const uid = process.getuid?.();
    if (uid !== undefined && stats.uid !== uid)
      throw refuse(`names ${quoted}, which belongs to another user: name a file of your own`);
    if (uid !== undefined && (stats.mode & OPEN_TO_OTHERS) !== 0)
      throw refuse(`names ${quoted}, which is open to other users: run \`chmod 600 ${quoted}\``);
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Opens the file. A pipe does not block, and is refused afterwards. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw refuse(`cannot be read: ${readErrorReason(error)}; name a file with the key`);
  }
}
