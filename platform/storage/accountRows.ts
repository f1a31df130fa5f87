import { z } from 'zod';
import type { Message } from '#shared/protocol/update.ts';
import { tryParseJson } from '#shared/json.ts';
import { writeMessage } from './messageRows.ts';
import { type PasswordHash, passwordHashSchema } from './passwords.ts';
import type { Database } from './platformDatabase.ts';

/** Times are in milliseconds since 1970. */
const rowSchema = z.object({
  number: z.int(),
  id: z.string(),
  email: z.string(),
  password: z
    .string()
    .nullable()
    .transform((json) => (json === null ? null : passwordHashSchema.parse(tryParseJson(json)))),
  host_user: z.string().nullable(),
  person: z.string().transform((json) => z.string().parse(tryParseJson(json))),
  created_at: z.int(),
  revoked_at: z.int().nullable(),
});

/** A stored account. */
export interface StoredAccount {
  /** The key of its messages. */
  readonly number: number;
  /** The identifier that the client receives. */
  readonly id: string;
  readonly email: string;
  /** `null`: the account signs in at a host. */
  readonly password: PasswordHash | null;
  /** The user at the host; `null`: the account has a password here. */
  readonly hostUser: string | null;
  /** The person's name. */
  readonly person: string;
  readonly createdAt: number;
  /** `null`: the account may sign in. */
  readonly revokedAt: number | null;
}

/** An account that is not stored yet, with its first messages. */
export interface NewAccount extends Pick<StoredAccount, 'id' | 'email' | 'password' | 'hostUser' | 'person'> {
  readonly messages: readonly Message[];
}

/** Returns the account with this identifier or email. */
export function findAccount(
  database: Database,
  key: 'id' | 'email',
  value: string,
): StoredAccount | undefined {
  const row = database.get(`SELECT * FROM accounts WHERE ${key} = ?`, value);
  if (row === null) return undefined;
  const { host_user: hostUser, created_at: createdAt, revoked_at: revokedAt, ...rest } = rowSchema.parse(row);
  return { ...rest, hostUser, createdAt, revokedAt };
}

/** Inserts an account with its messages; returns whether its email and identifier were free. */
export function insertAccount(database: Database, account: NewAccount, createdAt: number): boolean {
  const { id, email, password, hostUser, person, messages } = account;
  if (findAccount(database, 'email', email) ?? findAccount(database, 'id', id)) return false;
  const { lastInsertRowid } = database.run(
    'INSERT INTO accounts (id, email, password, host_user, person, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [
      id,
      email,
      password === null ? null : JSON.stringify(password),
      hostUser,
      JSON.stringify(person),
      createdAt,
    ],
  );
  const number = Number(lastInsertRowid);
  messages.forEach((message, index) =>
    writeMessage(database, { account: number, number: index + 1, json: JSON.stringify(message) }),
  );
  return true;
}

/** Changes the name of an account's person. */
export function renamePerson(database: Database, account: number, person: string): void {
  database.run('UPDATE accounts SET person = ? WHERE number = ?', [JSON.stringify(person), account]);
}

/** Returns the number of accounts. */
export const countAccounts = (database: Database): number =>
  z.object({ accounts: z.int() }).parse(database.get('SELECT count(*) AS accounts FROM accounts')).accounts;

/** Revokes an account and gives its email free for another one; the email then contains its number. */
export function setAside(database: Database, account: number, revokedAt: number): void {
  database.run(
    "UPDATE accounts SET email = email || ' #' || number, revoked_at = coalesce(revoked_at, ?) WHERE number = ?",
    [revokedAt, account],
  );
}

const listedSchema = z
  .object({
    email: z.string(),
    created_at: z.int(),
    messages: z.int(),
    revoked_at: z.int().nullable(),
  })
  .transform(({ email, created_at: createdAt, messages, revoked_at: revokedAt }) => ({
    email,
    createdAt,
    messages,
    revokedAt,
  }));

/** An account as an administrator sees it. Times are in milliseconds since 1970. */
export interface ListedAccount {
  readonly email: string;
  readonly createdAt: number;
  readonly messages: number;
  readonly revokedAt: number | null;
}

/** Returns every account, in the order of registration. */
export const listAccounts = (database: Database): readonly ListedAccount[] =>
  database
    .all(
      `SELECT email, created_at, revoked_at,
         (SELECT count(*) FROM messages WHERE account = accounts.number) AS messages
       FROM accounts ORDER BY number`,
    )
    .map((row) => listedSchema.parse(row));

/** Revokes an account, or restores it (`null`); returns whether there is one with this email. */
export function setRevoked(database: Database, email: string, revokedAt: number | null): boolean {
  // A second revocation keeps the time of the first.
  const value = revokedAt === null ? 'NULL' : 'coalesce(revoked_at, ?)';
  const values = revokedAt === null ? [email] : [revokedAt, email];
  return database.run(`UPDATE accounts SET revoked_at = ${value} WHERE email = ?`, values).changes > 0;
}
