import { z } from 'zod';

/** The settings that the environment variables contain, with the contract's defaults (contract §2). */
export interface Settings {
  /** The platform's addresses; `null` for the built-in platform. */
  readonly platform: { readonly apiUrl: string; readonly platformUrl: string } | null;
  readonly host: 'electron' | 'web' | 'auto';
  /** `null`: 4310, or the next free port. */
  readonly port: number | null;
  readonly open: boolean;
  readonly capture: boolean;
  /** Whether the audio module starts with a session; `null`: the setting in the app decides. */
  readonly audio: boolean | null;
}

/** Reports an invalid setting. `message` is one line that names the variable and says what it takes. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const flag = z.enum(['0', '1'], { error: 'takes 0 or 1' }).transform((text) => text === '1');

const address = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => isAddress(text, protocols), { error: `takes a ${protocols.join(' or ')} address` })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional();

const URL_START =
  /^(?<protocol>[a-z]+:)\/\/(?<host>\[[^\]]+\]|[^\s/:?#@]+)(?::(?<port>\d{1,5}))?(?:\/[^\s?#]*)?$/i;

const LAST_PORT = 65_535;

function isAddress(text: string, protocols: readonly string[]): boolean {
  const { protocol = '', port = '0' } = URL_START.exec(text)?.groups ?? {};
  return protocols.includes(protocol.toLowerCase()) && Number(port) <= LAST_PORT;
}

const environmentSchema = z.object({
  PARLEY_API_URL: address('http:', 'https:'),
  PARLEY_PLATFORM_URL: address('ws:', 'wss:'),
  PARLEY_HOST: z.enum(['electron', 'web', 'auto'], { error: 'takes electron, web or auto' }).default('auto'),
  PARLEY_PORT: z
    .string()
    .regex(/^\d{1,5}$/, { error: 'takes a port, 0 to 65535' })
    .transform(Number)
    .refine((port) => port <= LAST_PORT, { error: 'takes a port, 0 to 65535' })
    .optional(),
  PARLEY_OPEN: flag.default(true),
  PARLEY_CAPTURE: flag.default(false),
  PARLEY_AUDIO: flag.optional(),
});

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Removes empty variables: in a shell, they are often the same as unset ones. */
const withoutEmpty = (environment: Environment) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

/**
 * Reads the messenger's settings from the environment.
 * @throws {SettingsError} for the first invalid value.
 */
export function readSettings(environment: Environment): Settings {
  const result = environmentSchema.safeParse(withoutEmpty(environment));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new SettingsError(`${issue?.path.join('.')} ${issue?.message}`);
  }
  const { data } = result;
  return {
    platform: platformOf(data.PARLEY_API_URL, data.PARLEY_PLATFORM_URL),
    host: data.PARLEY_HOST,
    port: data.PARLEY_PORT ?? null,
    open: data.PARLEY_OPEN,
    capture: data.PARLEY_CAPTURE,
    audio: data.PARLEY_AUDIO ?? null,
  };
}

function platformOf(apiUrl: string | undefined, platformUrl: string | undefined): Settings['platform'] {
  if (apiUrl === undefined && platformUrl === undefined) return null;
  if (apiUrl !== undefined && platformUrl !== undefined) return { apiUrl, platformUrl };
  const missing = apiUrl === undefined ? 'PARLEY_API_URL' : 'PARLEY_PLATFORM_URL';
  throw new SettingsError(`${missing} is missing: set both addresses, or neither for the built-in platform`);
}

/** Returns the variables with an unencrypted address on another machine: the traffic can be read on the way. */
export function plainAddresses({ platform }: Settings): string[] {
  if (platform === null) return [];
  const named = { PARLEY_API_URL: platform.apiUrl, PARLEY_PLATFORM_URL: platform.platformUrl };
  return Object.entries(named)
    .filter(([, url]) => /^(?:http|ws):/i.test(url) && !isLoopback(URL_START.exec(url)?.groups?.host ?? ''))
    .map(([name]) => name);
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
