import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Message } from '#shared/protocol/update.ts';
import { type StoredAccount, findAccount, listAccounts } from '../storage/accountRows.ts';
import { readNewest } from '../storage/messageRows.ts';
import { type Database, openDatabase } from '../storage/platformDatabase.ts';

const EVERYTHING = { messages: Infinity, characters: Infinity } as const;

/** An account with all its messages. */
type ReadAccount = StoredAccount & { readonly messages: readonly Message[] };

/**
 * Returns the accounts that a restart would find in a platform's file, in the order of registration; empty without a file.
 * Reads a copy, so that the platform may run.
 */
export function readStoredPlatform(path: string): readonly ReadAccount[] {
  if (!existsSync(path)) return [];
  const folder = mkdtempSync(join(tmpdir(), 'parley-copy-'));
  const copy = join(folder, 'platform.sqlite');
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    const database = openDatabase(copy, pino({ level: 'silent' }));
    if (database === null) throw new Error('the file is corrupt');
    const accounts = listAccounts(database).flatMap(({ email }) => readAccount(database, email) ?? []);
    database.close();
    return accounts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readAccount(database: Database, email: string): ReadAccount | undefined {
  const account = findAccount(database, 'email', email);
  return account && { ...account, messages: readNewest(database, account.number, EVERYTHING).messages };
}
