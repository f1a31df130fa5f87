import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Assistants } from '../assistant/assistant.ts';
import type { HostAccount, OpenHostAccount } from '../hostSignIn/hostEntry.ts';
import type { StoredAccount } from '../storage/accountRows.ts';
import type { PlatformStore } from '../storage/platformStore.ts';
import { NOT_STORED, REVOKED } from './accounts.ts';

/** The options of `createOpenHostAccount`. */
interface HostAccountsOptions {
  readonly store: Pick<PlatformStore, 'account' | 'add' | 'setAside'>;
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
    const messages = [assistants.greeting(person)];
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
