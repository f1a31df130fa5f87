import { pluralize } from '#shared/pluralize.ts';
import { type Credentials, credentialsError } from '#shared/protocol/credentials.ts';
import { parseHostAddress } from './hostAddress.ts';
import type { HostSettings } from './hostSettings.ts';
import type { HostRefusal, HostToken, HostauthClient } from './hostauthClient.ts';
import type { HostSessions } from './hostSessions.ts';
import type { HostUser, LookUpHostUser } from './lookUpHostUser.ts';
import { personName } from './personName.ts';

/** Why a sign-in was refused: a status, and a sentence for the form. */
interface Refused {
  readonly status: number;
  readonly error: string;
}

/** The user of this machine to whom an account belongs. */
export interface HostAccount {
  readonly username: string;
  /** `null` when this machine does not know it, because the service is on another one. */
  readonly uid: number | null;
  readonly email: string;
  /** The name of the person for a new account. */
  readonly person: string;
}

/**
 * Returns the key of the account of a user of this machine, which is no identifier of a client; creates the account at the first
 * sign-in. Resolves when it is on the disk.
 */
export type OpenHostAccount = (
  user: HostAccount,
) => Promise<{ readonly id: string } | { readonly refused: Refused }>;

/** The result of a sign-in: the identifier that is issued for it, or a refusal. */
type HostEntryResult = { readonly id: string } | { readonly refused: Refused };

/** Signs a user in. */
export type HostEnter = (credentials: Credentials) => Promise<HostEntryResult>;

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
  const open = async (token: HostToken): Promise<HostEntryResult> => {
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
