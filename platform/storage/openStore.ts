import { dirname } from 'node:path';
import { DataFolderError, toDataFolderError } from '#files/dataFolder.ts';
import { PlatformStore, type PlatformStoreOptions } from './platformStore.ts';

/**
 * Opens the platform's file. A file that is not ours or is corrupt is renamed.
 * The caller owns the folder.
 * @throws {DataFolderError} when a file cannot be read or written.
 */
export function openStore(options: PlatformStoreOptions): PlatformStore {
  try {
    return new PlatformStore(options);
  } catch (error) {
    throw isSqliteError(error)
      ? unusable(options.path, error)
      : toDataFolderError(dirname(options.path), error);
  }
}

/** SQLite's errors have no code. */
const isSqliteError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'SQLite3Error';

const unusable = (path: string, error: Error) =>
  new DataFolderError(`cannot use ${path}: ${error.message}; solve that, then start again`, 1, {
    cause: error,
  });
