import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#shared/errorCode.ts';
import { TEMPORARY_NAME } from './temporaryFile.ts';

/** The folders of a data folder in which killed programs leave files. */
const FOLDERS = ['.', 'captures'] as const;

/**
 * Removes the temporary files of killed programs in the data folder: regular files of this user with our names. The caller has the
 * folder's lock, so no program is writing them.
 */
export function removeLeftovers(dataFolder: string): void {
  for (const folder of FOLDERS) removeFiles(join(dataFolder, folder), [TEMPORARY_NAME]);
}

/** Removes the regular files of this user whose names match and that are older than `age` milliseconds. */
export function removeFiles(folder: string, names: readonly RegExp[], age = 0): void {
  for (const name of namesIn(folder)) {
    if (names.some((pattern) => pattern.test(name))) removeOwnFile(join(folder, name), age);
  }
}

function removeOwnFile(path: string, age: number): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A file of this millisecond, or of the future, has a negative age.
  if (!stats?.isFile() || (age > 0 && Date.now() - stats.mtimeMs < age)) return;
  if (process.getuid === undefined || stats.uid === process.getuid()) rmSync(path, { force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
