import { FolderInUseError, claimDataFolder } from '#files/claimDataFolder.ts';
import { prepareDataFolder } from '#files/dataFolder.ts';

/**
 * Makes this process the owner of the data folder and returns its path. Returns `null` when a messenger in the same host has
 * the folder: this start is then handed over to it.
 * @throws {DataFolderError} when the folder cannot be used, or another program has it.
 */
export function takeDataFolder(host: 'electron' | 'web'): string | null {
  const path = prepareDataFolder(null);
  try {
    claimDataFolder(path, host);
    return path;
  } catch (error) {
    if (error instanceof FolderInUseError && error.holder.program === host) return null;
    throw error;
  }
}
