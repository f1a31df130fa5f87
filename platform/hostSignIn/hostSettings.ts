import { hostname } from 'node:os';

/** Where the accounts of the platform come from: the users of a machine. */
export interface HostSettings {
  /** The address of the host-account service, without a slash at the end. */
  readonly url: string;
  /** Whether the service is on this machine, so that this machine's user database is the same as the service's. */
  readonly isLocal: boolean;
  /** The part after the `@` of an address, in lower case. `localhost` is accepted too. */
  readonly hostName: string;
}

/** A setting of the sign-in is not valid. `message` is one line that names it and says what it takes. */
export class HostSettingsError extends Error {
  override readonly name = 'HostSettingsError';
}

/** The settings as they were given on the command line; environment variables are used for those that are missing. */
export interface GivenHostSettings {
  readonly hostauth?: string | undefined;
  readonly hostName?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const URL_NAME = 'PARLEY_PLATFORM_HOSTAUTH';
const HOST_NAME = 'PARLEY_PLATFORM_HOST_NAME';
/** A domain name in ASCII, as in the address of an email. */
const NAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/**
 * Reads the settings of the sign-in with the users of this machine; `null` when none is set: the platform has its own accounts.
 * @throws {HostSettingsError} for the first setting that is not valid.
 */
export function readHostSettings(
  environment: Environment,
  given: GivenHostSettings = {},
): HostSettings | null {
  const url = choose(['--hostauth', given.hostauth], [URL_NAME, environment[URL_NAME]]);
  const name = choose(['--host-name', given.hostName], [HOST_NAME, environment[HOST_NAME]]);
  if (url !== undefined) return { ...readUrl(url), hostName: readName(name) };
  if (name === undefined) return null;
  throw new HostSettingsError(`${name.name} needs ${URL_NAME}: set both, or only ${URL_NAME}`);
}

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** Returns the first setting that has a value. In a shell, an empty variable is often the same as an unset one. */
function choose(...settings: readonly (readonly [name: string, value: string | undefined])[]) {
  const [first] = settings.flatMap(([name, value]): Setting[] =>
    value === undefined || value === '' ? [] : [{ name, value }],
  );
  return first;
}

function readUrl({ name, value }: Setting): Pick<HostSettings, 'url' | 'isLocal'> {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new HostSettingsError(`${name} takes the address of hostauth, such as http://127.0.0.1:4320`);
  }
  // The value is not repeated: it may contain a password.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new HostSettingsError(`${name} takes an address without a user, a query or a fragment`);
  }
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !isLocal) {
    throw new HostSettingsError(
      `${name} is a plain address of another machine: passwords need https there, so use an https address`,
    );
  }
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), isLocal };
}

/** Returns whether only programs on this machine can have this host. `URL` writes addresses in one form. */
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

function readName(setting: Setting | undefined): string {
  const name = (setting?.value ?? hostname()).toLowerCase();
  if (NAME.test(name)) return name;
  // The machine's own name cannot be in an address: `localhost` remains.
  if (setting === undefined) return 'localhost';
  throw new HostSettingsError(`${setting.name} takes the name of this machine, such as box.example.org`);
}
