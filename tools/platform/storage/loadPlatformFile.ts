import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { toDataFolderError } from '#files/dataFolderError.ts';
import { quarantineFile } from '#files/quarantineFile.ts';
import { writePiecesAtomically } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { journalPath } from './journal.ts';
import { replayJournal } from './journalText.ts';
import { type StoredAccount, type StoredPlatform, readStored, writeStored } from './storedPlatform.ts';

/**
 * Reads the file and its journal; `generation` is `null` when there is no file yet. A file that is not ours or is corrupt is
 * renamed, so that nothing is lost, and the platform starts empty. A journal is merged into the file.
 * @throws {DataFolderError} when a file cannot be read or written.
 */
export async function loadPlatformFile(
  path: string,
  logger: Logger,
): Promise<{ accounts: readonly StoredAccount[]; generation: number | null }> {
  try {
    const stored = await readFileOrQuarantine(path, logger);
    const journal = await readText(journalPath(path));
    if (journal === null) return stored ?? { accounts: [], generation: null };
    return await mergeJournal({ path, logger, journal, stored });
  } catch (error) {
    throw toDataFolderError(dirname(path), error);
  }
}

interface Merging {
  readonly path: string;
  readonly logger: Logger;
  readonly journal: string;
  readonly stored: StoredPlatform | null;
}

async function mergeJournal({ path, logger, journal, stored }: Merging) {
  const replayed = stored === null ? null : replayJournal(journal, stored);
  if (stored !== null && replayed?.kind === 'replayed') {
    if (replayed.isBroken) quarantine(journalPath(path), logger);
    const generation = stored.generation + 1;
    await writePiecesAtomically(path, [writeStored(replayed.accounts, generation)]);
    await rm(journalPath(path), { force: true });
    return { accounts: replayed.accounts, generation };
  }
  // Its file is missing or corrupt: the journal may contain the only copy of its records.
  if (stored === null) quarantine(journalPath(path), logger);
  else await rm(journalPath(path), { force: true });
  return stored ?? { accounts: [], generation: null };
}

async function readFileOrQuarantine(path: string, logger: Logger): Promise<StoredPlatform | null> {
  const text = await readText(path);
  if (text === null) return null;
  const stored = readStored(text);
  if (stored === null) quarantine(path, logger);
  return stored;
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
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
