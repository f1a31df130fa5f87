import { existsSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { quarantineFile } from '#files/quarantineFile.ts';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { jsonJournalPath, jsonPath } from './platformPaths.ts';
import type { NewAccount } from './accountRows.ts';
import { type JsonAccount, readPlatformJson } from './readPlatformJson.ts';
import { replayJournal } from './replayJournal.ts';

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
