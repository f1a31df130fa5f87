import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { findAccount, listAccounts } from '../storage/accountRows.ts';
import { readNewest } from '../storage/messageRows.ts';
import { type Database, openDatabase } from '../storage/platformDatabase.ts';

const EVERYTHING = { messages: Infinity, characters: Infinity } as const;

function readAccount(database: Database, email: string) {
  const account = findAccount(database, 'email', email);
  return account && { ...account, messages: readNewest(database, account.number, EVERYTHING).messages };
}

/**
 * Returns the accounts that a restart would find in a platform's file, in the order of registration; empty without a file.
 * Reads a copy, so that the platform may run.
 */
export function readStoredPlatform(path: string) {
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
