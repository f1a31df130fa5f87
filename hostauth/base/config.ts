import { isIP } from 'node:net';
import { z } from 'zod';
import { fail } from './errors.ts';

/** Who may create users: administrators, every program on loopback, or no one. */
export type UsersMode = 'admin' | 'open' | 'off';

/** Files of a certificate and its key, PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The service's settings (contract §8). */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls: TlsFiles | null;
  readonly pamService: string;
  /** The Unix socket of a helper that runs as a unit of its own. `null`: one program starts both processes. */
  readonly helperSocket: string | null;
  readonly users: UsersMode;
  readonly adminGroup: string;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly slots: number;
  readonly perUser: number;
  /** Failed sign-ins a minute, for one address and username together. */
  readonly failures: number;
  /** Failed sign-ins a minute, for one address with any usernames. */
  readonly addressFailures: number;
  /** Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** The hosts of the apps that the service signs in for, as in `Host`. */
  readonly appHosts: readonly string[];
}

/** A setting is not valid. `message` is one line with the setting and its valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);

/** Returns whether a text is an address, or a network with the length of its prefix. A network of all addresses is refused. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** A list separated by commas; spaces around its items are ignored. */
const listOf = (isItem: (text: string) => boolean) =>
  z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',').map((part) => part.trim().toLowerCase())))
    .refine((list) => list.every(isItem));

const isAppHost = (text: string) => /^(\[[\da-f:.]+\]|[a-z\d][\w.-]*)(:\d{1,5})?$/.test(text);

/** Each variable: its default, its schema, and what it takes in words. */
const VARIABLES = {
  HOSTAUTH_HOST: ['127.0.0.1', z.string().regex(/^[\w.:-]+$/), 'an address or a host name'],
  HOSTAUTH_PORT: ['4320', whole(0, 65_535), 'a whole number from 0 to 65535'],
  HOSTAUTH_PAM_SERVICE: ['hostauth', z.string(), 'the name of a file in /etc/pam.d'],
  HOSTAUTH_USERS: ['admin', z.enum(['admin', 'open', 'off']), 'admin, open or off'],
  HOSTAUTH_ADMIN_GROUP: ['sudo', z.string().regex(/^[a-z_][\w.-]{0,31}$/i), 'the name of a group'],
  HOSTAUTH_IDLE_S: ['900', whole(1, 31_536_000), 'seconds, from 1 to 31536000'],
  HOSTAUTH_MAX_S: ['28800', whole(1, 31_536_000), 'seconds, from 1 to 31536000'],
  HOSTAUTH_SLOTS: ['1024', whole(1, 1_000_000), 'a whole number from 1 to 1000000'],
  HOSTAUTH_PER_USER: ['64', whole(1, 1_000_000), 'a whole number from 1 to 1000000'],
  HOSTAUTH_FAILURES: ['10', whole(1, 1_000_000), 'a whole number from 1 to 1000000'],
  HOSTAUTH_ADDRESS_FAILURES: ['60', whole(1, 1_000_000), 'a whole number from 1 to 1000000'],
  HOSTAUTH_TRUSTED_PROXIES: [
    '',
    listOf(isNetwork),
    'addresses or networks (10.0.0.2,fd00::/8), separated by commas',
  ],
  HOSTAUTH_APP_HOSTS: ['', listOf(isAppHost), 'hosts (wiki.example.org,localhost:8443), separated by commas'],
} as const;

/** Lists the settings for `--help`: what each takes, and its default. */
export const settingsHelp = (): string =>
  [
    ...Object.entries(VARIABLES).map(([name, [byDefault, , takes]]) => ({ name, takes, byDefault })),
    { name: 'HOSTAUTH_HELPER_SOCKET', takes: 'the socket of the helper, for the units', byDefault: 'none' },
    { name: 'HOSTAUTH_TLS_CERT, HOSTAUTH_TLS_KEY', takes: 'PEM files; both, or neither', byDefault: 'none' },
  ]
    .map(({ name, takes, byDefault }) => `  ${name.padEnd(25)} ${takes} (default: ${byDefault || 'none'})`)
    .join('\n');

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = z.output<(typeof VARIABLES)[N][1]>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable's value; an empty one, as files of settings leave it, counts as not set. */
const given = (env: Environment, name: string): string | undefined => env[name] || undefined;

function read<N extends Name>(env: Environment, name: N): Value<N>;
function read(env: Environment, name: Name): unknown {
  const [byDefault, schema, takes] = VARIABLES[name];
  const text = given(env, name) ?? byDefault;
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new ConfigError(`${name} takes ${takes}, not ${JSON.stringify(text)}`);
  return parsed.data;
}

/** Returns whether only programs on this machine can reach an address. Names other than `localhost` can resolve to any address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function readTls(env: Environment, host: string): TlsFiles | null {
  const cert = given(env, 'HOSTAUTH_TLS_CERT');
  const key = given(env, 'HOSTAUTH_TLS_KEY');
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== undefined || key !== undefined) {
    throw new ConfigError('HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY go together: set both, or neither');
  }
  if (isLoopback(host)) return null;
  throw new ConfigError(
    `HOSTAUTH_HOST=${host} is not loopback: set HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY to PEM files`,
  );
}

function readHelperSocket(env: Environment): string | null {
  const path = given(env, 'HOSTAUTH_HELPER_SOCKET') ?? null;
  if (path === null || path.startsWith('/')) return path;
  throw new ConfigError(
    `HOSTAUTH_HELPER_SOCKET takes the full path of a socket, not ${JSON.stringify(path)}`,
  );
}

/**
 * Reads the settings.
 * @throws {ConfigError} when a setting is not valid.
 */
export function readConfig(env: Environment): Config {
  const host = read(env, 'HOSTAUTH_HOST');
  return {
    host,
    port: read(env, 'HOSTAUTH_PORT'),
    tls: readTls(env, host),
    pamService: read(env, 'HOSTAUTH_PAM_SERVICE'),
    helperSocket: readHelperSocket(env),
    users: read(env, 'HOSTAUTH_USERS'),
    adminGroup: read(env, 'HOSTAUTH_ADMIN_GROUP'),
    idleMs: read(env, 'HOSTAUTH_IDLE_S') * 1000,
    maxMs: read(env, 'HOSTAUTH_MAX_S') * 1000,
    slots: read(env, 'HOSTAUTH_SLOTS'),
    perUser: read(env, 'HOSTAUTH_PER_USER'),
    failures: read(env, 'HOSTAUTH_FAILURES'),
    addressFailures: read(env, 'HOSTAUTH_ADDRESS_FAILURES'),
    trustedProxies: read(env, 'HOSTAUTH_TRUSTED_PROXIES'),
    appHosts: read(env, 'HOSTAUTH_APP_HOSTS'),
  };
}

/** Reads the settings from the environment; a setting that is not valid ends the process. */
export function loadConfig(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message, 2);
    throw error;
  }
}
