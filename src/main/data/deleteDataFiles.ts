import { readdir, rm, rmdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#shared/formatText.ts';

/** The result of the deletion. Paths are relative to the data folder. */
export interface FileDeletion {
  readonly deleted: number;
  readonly failed: readonly { readonly path: string; readonly error: unknown }[];
  /** How many files in our folders Parley did not write; they stay. */
  readonly foreign: number;
}

/** The names of Parley's files, by folder. Quarantined copies (`account.json.corrupt-1`) are included. */
const OURS: Readonly<Record<string, RegExp>> = {
  '.': /^(?:account|assistant|preferences|window|starting|web-host)\.json(?:\..+)?$|^failed-start\.parley\.jsonl$|^\.parley-[0-9a-f]{24}\.tmp$/,
  captures: /\.parley\.jsonl(?:\..+)?$|\.golden\.json$|^\.parley-[0-9a-f]{24}\.tmp$/,
  logs: /^parley\b.*\.log(?:\..+)?$/,
};

/** The open log: it is truncated and not removed, because the logger appends to it. */
const OPEN_LOG = 'parley.log';

/**
 * Deletes the account, the assistant's settings, the preferences, the window bounds, every capture and every log from the data folder. Continues
 * after an error. Deletes no other files: a folder may contain the person's files.
 */
export async function deleteDataFiles(dataDir: string): Promise<FileDeletion> {
  const failed: { path: string; error: unknown }[] = [];
  let deleted = 0;
  let foreign = 0;
  const attempt = async (path: string, action: Promise<unknown>) => {
    try {
      await action;
      return true;
    } catch (error) {
      failed.push({ path, error });
      return false;
    }
  };
  const deleteOurs = async (folder: string, ours: RegExp) => {
    for (const name of await namesIn(join(dataDir, folder))) {
      const path = join(folder, name);
      if (!ours.test(name)) foreign += folder === '.' ? 0 : 1;
      else if (await attempt(path, deleteFile(join(dataDir, path), name))) deleted++;
    }
  };
  for (const [folder, ours] of Object.entries(OURS)) await attempt(folder, deleteOurs(folder, ours));
  // The folder stays when it is not empty, or is a link.
  await rmdir(join(dataDir, 'captures')).catch(() => {});
  return { deleted, failed, foreign };
}

const deleteFile = (path: string, name: string): Promise<void> =>
  name === OPEN_LOG ? truncate(path) : rm(path, { force: true });

/** @throws the system's error, unless the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
