import type { Logger } from 'pino';
import { pluralize } from '#shared/formatText.ts';
import { type Credentials, credentialsError } from '#shared/protocol/credentials.ts';
import type { Clock } from '#shared/clock.ts';
import type { SignInResult } from '../accounts/accounts.ts';
import type { Assistants } from '../assistant/assistant.ts';
import type { PlatformStore } from '../storage/platformStore.ts';
import {
  type HostAccount,
  type HostUser,
  type LookUpHostUser,
  type OpenHostAccount,
  createOpenHostAccount,
  lookUpHostUser,
  personName,
} from './hostAccounts.ts';
import { HostSessions } from './hostSessions.ts';
import type { HostSettings } from './hostSettings.ts';
import {
  type HostRefusal,
  type HostToken,
  type HostauthClient,
  createHostauthClient,
} from './hostauthClient.ts';

/** The sign-in with the users of this machine: what the routes use. */
export interface HostEntrance {
  readonly enter: HostEnter;
  readonly sessions: HostSessions;
}

interface EntranceOptions {
  readonly settings: HostSettings;
  readonly store: PlatformStore;
  readonly assistants: Assistants;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the sign-in with the users of this machine. */
export function createHostEntrance(options: EntranceOptions): HostEntrance {
  const { settings, clock, logger } = options;
  const client = createHostauthClient({ url: settings.url, clock, logger });
  const sessions = new HostSessions({ client, clock, logger });
  const openAccount = createOpenHostAccount(options);
  const enter = createHostEntry({ settings, client, sessions, openAccount, lookUp: lookUpHostUser });
  return { enter, sessions };
}

/** Signs a user in. */
type HostEnter = (credentials: Credentials) => Promise<SignInResult>;

/** The options of `createHostEntry`. */
interface HostEntryOptions {
  readonly settings: HostSettings;
  readonly client: Pick<HostauthClient, 'signIn' | 'logOut'>;
  readonly sessions: Pick<HostSessions, 'add'>;
  readonly openAccount: OpenHostAccount;
  readonly lookUp: LookUpHostUser;
}

const refused = (status: number, error: string) => ({ refused: { status, error } });

const REGISTRATION = refused(
  403,
  'Accounts of this platform are this machine’s users. Ask an administrator to create one.',
);

/**
 * Returns the function that signs the users of this machine in with `<user>@<host>` (spec §4.1): the service checks the password,
 * and the first sign-in creates the account. The limits of wrong passwords are those of the service.
 */
export function createHostEntry(options: HostEntryOptions): HostEnter {
  const { settings, client, sessions, openAccount, lookUp } = options;
  const { hostName, isLocal } = settings;
  const open = async (token: HostToken): Promise<SignInResult> => {
    const { username } = token;
    const user = isLocal ? await lookUp(username) : undefined;
    const opened = await openAccount(accountOf(username, hostName, user));
    if ('id' in opened) return { id: sessions.add(opened.id, token) };
    await client.logOut(token.token);
    return opened;
  };
  return async (credentials) => {
    if (credentials.name !== '') return REGISTRATION;
    const error = credentialsError(credentials);
    if (error !== null) return refused(422, error);
    const { username, host } = parseHostAddress(credentials.email);
    if (host !== hostName && host !== 'localhost') return wrongHost(hostName);
    const answer = await client.signIn(username, credentials.password);
    return 'why' in answer ? refusalOf(answer) : open(answer);
  };
}

const accountOf = (username: string, hostName: string, user: HostUser | undefined): HostAccount => ({
  username,
  uid: user?.uid ?? null,
  email: `${username}@${hostName}`,
  person: personName(username, user?.gecos ?? ''),
});

const wrongHost = (hostName: string) =>
  refused(422, `Sign in as <user>@${hostName}: accounts of this platform are this machine’s users.`);

/** Says what happened and what to do. */
function refusalOf(refusal: HostRefusal) {
  switch (refusal.why) {
    case 'credentials':
      return refused(401, 'Wrong email or password.');
    case 'limited':
      return refused(429, `Too many wrong passwords. Try again ${inTime(refusal.retryAfterS)}.`);
    case 'busy':
      return refused(
        503,
        `The sign-in service of this machine is busy. Try again ${inTime(refusal.retryAfterS)}.`,
      );
    case 'unreachable':
      return refused(
        503,
        'The sign-in service of this machine does not answer. Try again, or ask an administrator to start it.',
      );
    case 'unusable':
      return refused(
        502,
        'The sign-in service of this machine gave an unexpected answer. Ask an administrator to check the platform’s settings.',
      );
    default:
      return refusal satisfies never;
  }
}

const inTime = (seconds: number | null) =>
  seconds === null ? 'later' : `in ${pluralize(seconds, 'second')}`;

/** The address of a user of this machine. */
interface HostAddress {
  /** As it was typed: user names are case-sensitive. */
  readonly username: string;
  /** In lower case. */
  readonly host: string;
}

/** Splits an email address at its last `@`. */
function parseHostAddress(email: string): HostAddress {
  const at = email.lastIndexOf('@');
  return { username: email.slice(0, at), host: email.slice(at + 1).toLowerCase() };
}
