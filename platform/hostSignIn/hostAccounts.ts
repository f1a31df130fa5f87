import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { betweenCharacters } from '#shared/formatText.ts';
import { NAME_LENGTH } from '#shared/limits.ts';
import { NOT_STORED, REVOKED, type SignInResult } from '../accounts/accounts.ts';
import type { Assistants } from '../assistant/assistant.ts';
import { timed } from '../assistant/markedMessage.ts';
import type { StoredAccount } from '../storage/accountRows.ts';
import type { PlatformStore } from '../storage/platformStore.ts';

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
export type OpenHostAccount = (user: HostAccount) => Promise<SignInResult>;

/** The options of `createOpenHostAccount`. */
interface HostAccountsOptions {
  readonly store: Pick<PlatformStore, 'account' | 'add' | 'setAside' | 'now'>;
  readonly assistants: Pick<Assistants, 'greeting'>;
  readonly logger: Logger;
}

/**
 * Returns the function that opens the account of a user of this machine. An account with its address that belongs to another
 * user, or has a password of its own, is set aside: it keeps its conversation, and cannot be used.
 */
export function createOpenHostAccount({ store, assistants, logger }: HostAccountsOptions): OpenHostAccount {
  const add = async (user: HostAccount) => {
    const id = randomBytes(24).toString('base64url');
    const { email, person } = user;
    const messages = [timed(assistants.greeting(person), store.now)];
    const result = await store.add({
      id,
      email,
      password: null,
      hostUser: hostUserOf(user),
      person,
      messages,
    });
    if (result === 'added') return { id };
    // Another sign-in of the user may have been faster.
    const faster = store.account('email', email);
    return faster !== undefined && belongsTo(faster, user) ? { id: faster.id } : NOT_STORED;
  };
  return async (user) => {
    const known = store.account('email', user.email);
    if (known === undefined) return add(user);
    if (belongsTo(known, user)) return known.revokedAt === null ? { id: known.id } : REVOKED;
    logger.warn({ number: known.number }, 'an account is set aside: its address is now that of another user');
    return (await store.setAside(known)) ? add(user) : NOT_STORED;
  };
}

/** The stored form of a user: `ada:1000`. A user name has no colon, as in passwd(5). */
const hostUserOf = ({ username, uid }: HostAccount) => `${username}:${uid ?? ''}`;

/** Returns whether an account belongs to the user. A uid that is not known now, or was not known then, is not compared. */
function belongsTo({ hostUser }: StoredAccount, { username, uid }: HostAccount): boolean {
  const [name, stored = ''] = hostUser?.split(':') ?? [];
  return name === username && (stored === '' || uid === null || stored === String(uid));
}

/** What this machine's user database says about a user. */
export interface HostUser {
  readonly uid: number;
  /** The full name, with what may follow it after a comma; often empty. */
  readonly gecos: string;
}

/** Returns the entry of a user; `undefined` when the user database has none or cannot be read. */
export type LookUpHostUser = (username: string) => Promise<HostUser | undefined>;

const TIMEOUT_MS = 3000;
/** Of passwd(5): the name, the password, the uid, the gid, the full name, the home and the shell. */
const [NAME, UID, GECOS] = [0, 2, 4];

const run = promisify(execFile);

/** Asks `getent`, which also knows the users of a directory (SSSD, LDAP). */
export const lookUpHostUser: LookUpHostUser = async (username) => {
  // A database is an own program here: a failure to run it only means that nothing is known.
  const output = await run('getent', ['passwd', '--', username], { timeout: TIMEOUT_MS }).catch(() => null);
  return output === null ? undefined : parseEntry(output.stdout, username);
};

/** Parses a line of passwd(5); `undefined` for another user: `getent` also finds users by their uid. */
function parseEntry(line: string, username: string): HostUser | undefined {
  const fields = line.trimEnd().split(':');
  const uid = fields[UID] ?? '';
  if (fields[NAME] !== username || !/^\d+$/.test(uid)) return undefined;
  return { uid: Number(uid), gecos: fields[GECOS] ?? '' };
}

/** A full name is cut to this length. */
const FULL_NAME_LENGTH = 64;

/**
 * Returns the name of the person behind a user of this machine: the full name, else one made of the user name that fits the
 * form's rule (spec §2.1: 5 to 30 letters and spaces).
 * @param gecos the full name in the user database, with what may follow it after a comma; empty when it is not known.
 */
export function personName(username: string, gecos: string): string {
  const fullName = cut(collapseSpaces(fullNameOf(gecos, username)), FULL_NAME_LENGTH);
  return fullName === '' ? nameFromUsername(username) : fullName;
}

/** Returns the first field. `&` stands for the user name with a capital letter, as in finger(1). */
const fullNameOf = (gecos: string, username: string) =>
  (gecos.split(',')[0] ?? '').replaceAll(/\p{C}/gu, ' ').replaceAll('&', capitalize(username));

function nameFromUsername(username: string): string {
  const words = collapseSpaces(username.replaceAll(/[^\p{L}\p{M}]+/gu, ' '));
  const name = words.split(' ').map(capitalize).join(' ');
  return cut(name.length >= NAME_LENGTH.min ? name : `User ${name}`.trimEnd(), NAME_LENGTH.max);
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Cuts a text to a length in UTF-16 units, between two characters. */
const cut = (text: string, length: number) =>
  text.slice(0, text.length <= length ? length : betweenCharacters(text, length)).trimEnd();
