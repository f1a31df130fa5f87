import { randomBytes, randomUUID } from 'node:crypto';
import { type Credentials, credentialsError } from '#shared/protocol/credentials.ts';
import type { Clock } from '#shared/clock.ts';
import type { Assistants } from '../assistant/assistant.ts';
import { timed } from '../assistant/markedMessage.ts';
import type { NewAccount, StoredAccount } from '../storage/accountRows.ts';
import type { StoredConversation } from '../storage/conversationLog.ts';
import { type PasswordHash, hashPassword, passwordMatches } from '../storage/passwords.ts';
import type { PlatformStore } from '../storage/platformStore.ts';
import { type LiveConversations, createLiveConversations } from './liveConversations.ts';

/** The result of a sign-in: the identifier of the account, or a status and a sentence for the form. */
export type SignInResult =
  | { readonly id: string }
  | { readonly refused: { readonly status: number; readonly error: string } };

/** The accounts of the platform. */
export interface Accounts extends Pick<LiveConversations, 'conversationOf' | 'finish'> {
  /** Logs in, or registers when the credentials contain a name (spec §2.1). Resolves when a new account is on the disk. */
  enter(credentials: Credentials): Promise<SignInResult>;
  /** Returns why no further messages are accepted, or `null`. */
  refusal: PlatformStore['refusal'];
  quarantined: PlatformStore['quarantined'];
  list: PlatformStore['accounts'];
  /** Revokes an account and signs its sockets out at once, or restores it. Resolves when this is on the disk. */
  setRevoked: PlatformStore['setRevoked'];
  /**
   * Deletes every account and every file, and signs the sockets out.
   * @throws the system's error.
   */
  deleteAll(): Promise<void>;
}

/** The options of `createAccounts`. */
interface AccountsOptions {
  readonly store: PlatformStore;
  /** Who answers. */
  readonly assistants: Assistants;
  readonly clock: Clock;
  /** scrypt's cost for new accounts. */
  readonly passwordCost?: number | undefined;
}

const refused = (status: number, error: string): SignInResult => ({ refused: { status, error } });
const TAKEN = refused(409, 'That email is already registered.');
/** The same text for an unknown email and a wrong password, so that it does not reveal who has registered. */
export const NO_MATCH = refused(401, 'Wrong email or password.');

/** Returns the email in the form that identifies an account. */
export const normalizeEmail = (email: string) => email.normalize('NFC').toLowerCase();

/** The disk is full, or cannot be written for another reason. */
export const NOT_STORED = refused(
  503,
  'The platform cannot write to its disk. Make room there and try again.',
);

/** An administrator has revoked the account. */
export const REVOKED = refused(403, 'This account was revoked. Ask the administrator of the platform.');

/** Creates the accounts of what is stored. */
export function createAccounts({ store, assistants, clock, passwordCost }: AccountsOptions): Accounts {
  const live = createLiveConversations({ store, assistants, clock, newId: randomUUID });

  const register = async (email: string, { password, name }: Credentials): Promise<SignInResult> => {
    if (store.account('email', email) !== undefined) return TAKEN;
    const hash = await hashPassword(password, passwordCost);
    const account = newAccount(email, hash, {
      person: name,
      messages: [timed(assistants.greeting(name), store.now)],
    });
    const result = await store.add(account);
    if (result === 'taken') return TAKEN;
    return result === 'added' ? { id: account.id } : NOT_STORED;
  };

  return {
    async enter(credentials) {
      const error = credentialsError(credentials);
      if (error !== null) return refused(422, error);
      const email = normalizeEmail(credentials.email);
      return credentials.name === ''
        ? logIn(store.account('email', email), credentials.password)
        : register(email, credentials);
    },
    refusal: () => store.refusal(),
    quarantined: () => store.quarantined(),
    list: () => store.accounts(),
    async setRevoked(email, isRevoked) {
      const result = await store.setRevoked(normalizeEmail(email), isRevoked);
      const account = store.account('email', normalizeEmail(email));
      if (account !== undefined && account.revokedAt !== null) live.close(account.id);
      return result;
    },
    async deleteAll() {
      live.closeAll();
      await store.remove();
    },
    conversationOf: live.conversationOf,
    finish: live.finish,
  };
}

/** Checks the password, also without an account: the time does not reveal who has registered. */
async function logIn(account: StoredAccount | undefined, password: string): Promise<SignInResult> {
  const matches = await passwordMatches(password, account?.password ?? undefined);
  if (!matches || account === undefined) return NO_MATCH;
  return account.revokedAt === null ? { id: account.id } : REVOKED;
}

const newAccount = (email: string, password: PasswordHash, conversation: StoredConversation): NewAccount => ({
  id: randomBytes(24).toString('base64url'),
  email,
  password,
  hostUser: null,
  ...conversation,
});
