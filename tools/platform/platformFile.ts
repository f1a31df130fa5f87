import { access, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { toDataFolderError } from '#files/dataFolderError.ts';
import { writeFileAtomically, writePiecesAtomically } from '#files/writeFileAtomically.ts';
import { codeOf } from '#shared/codeOf.ts';
import { type StoredAccount, readStored, writeStored } from './storedPlatform.ts';

/**
 * The file that the platform keeps everything in. Whenever the process is killed, the file is the old or the new one.
 *
 *   clean ──save──▶ writing ──written──▶ clean
 *   writing ──save──▶ writing, to be written again ──written──▶ writing (the newest state, once)
 *   writing ──failed──▶ dirty, logged ──save or flush──▶ writing
 */
export interface PlatformFile {
  /** Something has changed: writes soon. */
  save(): void;
  /** Resolves when all that was saved is on the disk, or could not be written. */
  flush(): Promise<void>;
  /** For the process's last moment: writes before it returns, when there is anything to write. */
  flushSync(): void;
  /**
   * Removes the file and its copies. What was saved since is written to a new file.
   * @throws the system's error.
   */
  remove(): Promise<void>;
}

const NOT_WRITTEN = 'the platform’s file could not be written';

export interface PlatformFileOptions {
  readonly path: string;
  readonly accounts: () => readonly StoredAccount[];
  readonly logger: Logger;
}

export function platformFile({ path, accounts, logger }: PlatformFileOptions): PlatformFile {
  let isDirty = false;
  let writing: Promise<void> | null = null;

  const writeOnce = async () => {
    isDirty = false;
    try {
      await writePiecesAtomically(path, [writeStored(accounts())]);
    } catch (error) {
      isDirty = true;
      logger.error({ code: codeOf(error) }, NOT_WRITTEN);
      return false;
    }
    return true;
  };
  const write = async () => {
    // What changes in the same turn is written together.
    await Promise.resolve();
    let again = true;
    while (again) again = (await writeOnce()) && isDirty;
    writing = null;
  };
  const start = () => {
    if (isDirty) writing ??= write();
    return writing ?? Promise.resolve();
  };

  const save = () => {
    isDirty = true;
    void start();
  };

  return {
    save,
    flush: start,
    flushSync() {
      if (!isDirty && writing === null) return;
      try {
        writeFileAtomically(path, writeStored(accounts()));
      } catch (error) {
        logger.error({ code: codeOf(error) }, NOT_WRITTEN);
      }
    },
    async remove() {
      await start();
      isDirty = false;
      await removeCopies(path);
      if (accounts().length > 0) save();
    },
  };
}

/** Removes every file whose name begins with the file's: also temporary ones and those that were moved aside. */
async function removeCopies(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (name === basename(path) || name.startsWith(`${basename(path)}.`)) await rm(join(folder, name));
  }
}

/**
 * The accounts in the file; none when there is no file yet. A file that is not ours or is broken is
 * moved aside, so that nothing is lost, and the platform begins anew.
 * @throws {DataFolderError} when the folder or the file cannot be used at all.
 */
export async function loadPlatformFile(path: string, logger: Logger): Promise<readonly StoredAccount[]> {
  const text = await readText(path);
  if (text === null) return [];
  const accounts = readStored(text);
  if (accounts !== null) return accounts;
  const aside = await moveAside(path);
  logger.warn(
    { path, aside },
    'the platform’s file is corrupt: it was moved aside, and the platform begins anew',
  );
  return [];
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw toDataFolderError(dirname(path), error);
  }
}

async function moveAside(path: string): Promise<string> {
  let aside = `${path}.corrupt-1`;
  for (let number = 2; await exists(aside); number++) aside = `${path}.corrupt-${number}`;
  await rename(path, aside);
  return aside;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
