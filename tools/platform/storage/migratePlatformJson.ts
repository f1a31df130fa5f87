import { existsSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { quarantineFile } from '#files/quarantineFile.ts';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { jsonJournalPath, jsonPath } from './platformPaths.ts';
import type { NewAccount } from './accountRows.ts';
import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { messageSchema } from './messageSchema.ts';
import type { StoredConversation } from './newestMessages.ts';
import { type PasswordHash, passwordHashSchema } from './passwords.ts';
import { type ConversationLog, conversationLog } from './conversationLog.ts';

/**
 * Takes over the accounts of `platform.json`, the file of earlier versions, with its journal: `insert` stores them in one
 * transaction, then the files are renamed to `….migrated`. A file that is corrupt is renamed to `….corrupt-1`.
 *
 * When the process is killed before the rename, the next start does the same again. An email that has an account keeps it.
 *
 * @param path the database's path.
 * @throws the system's error, or that of `insert`.
 */
export function migratePlatformJson(
  path: string,
  insert: (accounts: readonly NewAccount[]) => void,
  logger: Logger,
): void {
  const [json, journal] = [jsonPath(path), jsonJournalPath(path)];
  const text = readText(json);
  const changes = readText(journal);
  if (text === null && changes === null) return;
  const stored = text === null ? null : readPlatformJson(text);
  if (stored === null) {
    // The journal may contain the only copy of its records.
    for (const file of [json, journal]) if (existsSync(file)) quarantine(file, logger);
    return;
  }
  const accounts = changes === null ? stored.accounts : replayJournal(changes, stored);
  insert(accounts.map(toNewAccount));
  for (const file of [journal, json]) if (existsSync(file)) renameSync(file, migratedPath(file));
  syncFolder(dirname(path));
  logger.info({ accounts: accounts.length }, 'the accounts of platform.json were taken over');
}

const toNewAccount = ({ id, email, password, conversation }: JsonAccount): NewAccount => ({
  id,
  email,
  password,
  hostUser: null,
  ...conversation,
});

/** Returns the first free name: an earlier file that was taken over stays. */
function migratedPath(file: string): string {
  let number = 1;
  const name = () => (number === 1 ? `${file}.migrated` : `${file}.migrated-${number}`);
  while (existsSync(name())) number++;
  return name();
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function quarantine(path: string, logger: Logger): void {
  logger.warn(
    { path, quarantined: quarantineFile(path) },
    'a file of the platform is corrupt: it was renamed',
  );
}

/** An account of `platform.json`. */
const jsonAccountSchema = z.object({
  id: z.string().min(1),
  email: z.string().min(1),
  password: passwordHashSchema,
  conversation: z.object({ person: z.string(), messages: z.array(messageSchema) }),
});

const fileSchema = z.object({
  format: z.literal('parley-platform'),
  version: z.literal(1),
  /** The journal names the generation that it continues. Version 0.1.0 wrote none. */
  generation: z.number().int().default(0),
  accounts: z.array(jsonAccountSchema),
});

/** An account of `platform.json`. */
interface JsonAccount {
  readonly id: string;
  readonly email: string;
  readonly password: PasswordHash;
  readonly conversation: StoredConversation;
}

/** The contents of `platform.json`. */
interface PlatformJson {
  readonly generation: number;
  readonly accounts: readonly JsonAccount[];
}

/** Parses the text of `platform.json`; returns `null` when it is not valid. */
export const readPlatformJson = (text: string): PlatformJson | null =>
  fileSchema.safeParse(tryParseJson(text)).data ?? null;

/** The journal's first line names the generation of `platform.json` that it continues. */
const headSchema = z.object({
  format: z.literal('parley-platform-journal'),
  version: z.literal(1),
  follows: z.number().int(),
});

/** A record: a person registered, or a frame was added to the conversation of the account with that identifier. */
const recordSchema = z.union([
  z.object({ account: jsonAccountSchema }),
  z.object({ id: z.string(), frame: z.string() }),
]);

interface Generation {
  readonly accounts: readonly JsonAccount[];
  readonly generation: number;
}

/**
 * Returns the accounts of `platform.json` with the changes of its journal, up to the first line that cannot be read. A journal
 * of another generation is a leftover.
 */
function replayJournal(text: string, { accounts, generation }: Generation): readonly JsonAccount[] {
  // A last line without its newline was never confirmed.
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  if (headSchema.safeParse(tryParseJson(first)).data?.follows !== generation) return accounts;
  const logs: Logs = new Map();
  for (const account of accounts) addAccount(logs, account);
  lines.every((line) => apply(line, logs));
  return Array.from(logs.values(), ({ account, log }) => ({ ...account, conversation: log.conversation() }));
}

type Logs = Map<string, { readonly account: JsonAccount; readonly log: ConversationLog }>;

const addAccount = (logs: Logs, account: JsonAccount) =>
  logs.set(account.id, { account, log: conversationLog(account.conversation) });

/** Applies a line; returns whether it could be applied. */
function apply(line: string, logs: Logs): boolean {
  const record = recordSchema.safeParse(tryParseJson(line)).data;
  if (record === undefined) return false;
  if ('account' in record) {
    addAccount(logs, record.account);
    return true;
  }
  try {
    logs.get(record.id)?.log.add(record.frame);
    return true;
  } catch {
    return false;
  }
}
