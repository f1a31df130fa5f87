import { randomBytes, randomUUID } from 'node:crypto';
import { type Credentials, credentialsError } from '#shared/protocol/credentials.ts';
import type { Assistants } from '../assistant/assistant.ts';
import { FILE_LIMIT, newestMessages } from '../storage/newestMessages.ts';
import { type PasswordHash, hashPassword, passwordMatches } from '../storage/passwords.ts';
import { type LiveConversation, createLiveConversation } from './liveConversation.ts';
import type { PlatformFile } from '../storage/platformFile.ts';
import type { StoredAccount } from '../storage/storedPlatform.ts';

/** A person who has registered. */
export interface Account {
  /** The identifier that the client receives: its only credential (spec §5.1). */
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly password: PasswordHash;
  readonly conversation: LiveConversation;
}

/** The result of a sign-in: the account, or a status and a sentence for the form. */
export type SignInResult =
  | { readonly account: Account }
  | { readonly refused: { readonly status: number; readonly error: string } };

/** The accounts of the platform. */
export interface Accounts {
  /** Logs in, or registers when the credentials contain a name (spec §2.1). Resolves when a new account is on the disk. */
  enter(credentials: Credentials): Promise<SignInResult>;
  byId(id: string): Account | undefined;
  /** Returns whether further messages are accepted: not while too many wait for the disk. */
  acceptsMessages(): boolean;
  /** Ends every running answer. */
  finish(): void;
  /** Deletes every account and signs its sockets out. */
  deleteAll(): void;
  /** Returns all accounts in the form of the file. */
  stored(): StoredAccount[];
}

/** The options of `createAccounts`. */
interface AccountsOptions {
  readonly stored: readonly StoredAccount[];
  /** Who answers. */
  readonly assistants: Assistants;
  /** The file that stores the records. */
  readonly file: Pick<PlatformFile, 'append' | 'afterCommit' | 'isFull'>;
  /** scrypt's cost for new accounts. */
  readonly passwordCost?: number | undefined;
}

const refused = (status: number, error: string): SignInResult => ({ refused: { status, error } });
const TAKEN = refused(409, 'That email is already registered.');
/** The same text for an unknown email and a wrong password, so that it does not reveal who has registered. */
export const NO_MATCH = refused(401, 'Wrong email or password.');

/** Returns the email in the form that identifies an account. */
export const normalizeEmail = (email: string) => email.normalize('NFC').toLowerCase();

const NOT_STORED = refused(503, 'The platform cannot write to its disk. Make room there and try again.');

/** Creates the accounts from what is stored. */
export function createAccounts({ stored, assistants, file, passwordCost }: AccountsOptions): Accounts {
  const byId = new Map<string, Account>();
  const byEmail = new Map<string, Account>();

  const add = ({ id, email, password, conversation }: StoredAccount): Account => {
    const live = openConversation({ id, conversation }, { assistants, file });
    const account = { id, email, password, conversation: live };
    byId.set(id, account);
    byEmail.set(email, account);
    return account;
  };
  for (const account of stored) add(account);

  const register = async (email: string, { password, name }: Credentials): Promise<SignInResult> => {
    if (byEmail.has(email)) return TAKEN;
    const hash = await hashPassword(password, passwordCost);
    // Another registration may have been faster.
    if (byEmail.has(email)) return TAKEN;
    const fresh = newAccount(email, hash, { person: name, messages: [assistants.greeting(name)] });
    const account = add(fresh);
    const isStored = await appendAccount(file, fresh, () => {
      byId.delete(account.id);
      byEmail.delete(email);
    });
    return isStored ? { account } : NOT_STORED;
  };

  return {
    async enter(credentials) {
      const error = credentialsError(credentials);
      if (error !== null) return refused(422, error);
      const email = normalizeEmail(credentials.email);
      return credentials.name === ''
        ? logIn(byEmail.get(email), credentials.password)
        : register(email, credentials);
    },
    byId: (id) => byId.get(id),
    acceptsMessages: () => !file.isFull(),
    finish() {
      for (const { conversation } of byId.values()) conversation.finishAnswer();
    },
    deleteAll() {
      for (const { conversation } of byId.values()) conversation.close();
      byId.clear();
      byEmail.clear();
    },
    stored: () => Array.from(byId.values(), toStored),
  };
}

/** Opens the account's conversation. It stores its frames in the file. */
function openConversation(
  { id, conversation }: Pick<StoredAccount, 'id' | 'conversation'>,
  { assistants, file }: Pick<AccountsOptions, 'assistants' | 'file'>,
): LiveConversation {
  const commit = (frame: string | null, committed: () => void) =>
    frame === null ? file.afterCommit(committed) : file.append({ id, frame }, committed);
  return createLiveConversation({ conversation, assistant: assistants.create(), newId: randomUUID, commit });
}

/** Appends a new account to the file; resolves to whether it is on the disk. Calls `onFailure` at once if it is not. */
const appendAccount = (
  file: AccountsOptions['file'],
  account: StoredAccount,
  onFailure: () => void,
): Promise<boolean> =>
  new Promise((resolve) => {
    const failed = () => {
      onFailure();
      resolve(false);
    };
    file.append({ account }, () => resolve(true), failed);
  });

/** Checks the password, also without an account: the time does not reveal who has registered. */
async function logIn(account: Account | undefined, password: string): Promise<SignInResult> {
  const matches = await passwordMatches(password, account?.password);
  return matches && account !== undefined ? { account } : NO_MATCH;
}

const newAccount = (
  email: string,
  password: PasswordHash,
  conversation: StoredAccount['conversation'],
): StoredAccount => ({ id: randomBytes(24).toString('base64url'), email, password, conversation });

function toStored({ id, email, password, conversation }: Account): StoredAccount {
  const { person, messages } = conversation.stored();
  return { id, email, password, conversation: { person, messages: newestMessages(messages, FILE_LIMIT) } };
}
