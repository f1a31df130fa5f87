import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { DamagedFileError } from './damagedFileError.ts';
import { createDatabase, isCorrupt, openDatabase } from './openDatabase.ts';
import { lockPath, removeAll, walPath } from './platformPaths.ts';
import type { Database } from './sqlite.ts';

const DAMAGED =
  'the platform’s file is damaged: start again to keep it under another name and to begin a new one';

/** The database's file was removed or replaced: further changes would be lost. */
export class FileRemovedError extends Error {
  override readonly name = 'FileRemovedError';
}

/** Identifies a file, whatever its name is. */
const identify = (path: string): string | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
};

/**
 * The database's file. It is created by the first change.
 *
 *   absent ── write ──▶ open ── remove ──▶ absent
 *                        └──── close ──▶ closed
 */
export class PlatformDatabase {
  #database: Database | null;
  /** Which files the database and its log are; `null` until the first change. */
  #files: readonly (string | null)[] | null = null;
  #isDamaged = false;

  /** @throws the system's error, or `DataFolderError`. */
  constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {
    this.#database = openDatabase(path, logger);
  }

  /**
   * Returns the result of a query; `absent` when there is no database yet.
   * @throws {DamagedFileError} when the file is damaged: the next start checks all of it.
   */
  read<T>(query: (database: Database) => T, absent: T): T {
    if (this.#database === null) return absent;
    try {
      return query(this.#database);
    } catch (error) {
      throw isCorrupt(error) ? this.#reportDamage(error) : error;
    }
  }

  #reportDamage(cause: unknown): DamagedFileError {
    if (!this.#isDamaged) this.logger.error(DAMAGED);
    this.#isDamaged = true;
    return new DamagedFileError(undefined, { cause });
  }

  /**
   * Makes a change, which is on the disk when this returns.
   * @throws {FileRemovedError} when the file was removed; else the system's error, or SQLite's: nothing is changed.
   */
  write(change: (database: Database) => void): void {
    this.#database ??= createDatabase(this.path);
    const database = this.#database;
    database.exec('BEGIN IMMEDIATE');
    try {
      change(database);
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw isCorrupt(error) ? this.#reportDamage(error) : error;
    }
    this.#checkFiles();
  }

  /** Copies SQLite's log into the file, and closes it. */
  close(): void {
    this.#files = null;
    const database = this.#database;
    this.#database = null;
    database?.close();
    // As after an unclean end, the next start checks the whole file.
    if (this.#isDamaged) mkdirSync(lockPath(this.path), { recursive: true, mode: 0o700 });
    this.#isDamaged = false;
  }

  /**
   * Removes the file and all copies.
   * @throws the system's error.
   */
  remove(): void {
    this.close();
    removeAll(this.path);
  }

  /** SQLite goes on writing to files that were removed. The first change also syncs the folder, which has the log's name. */
  #checkFiles(): void {
    const now = this.#identifyFiles();
    if (this.#files === null && !now.includes(null)) syncFolder(dirname(this.path));
    this.#files ??= now;
    if (!now.every((file, index) => file !== null && file === this.#files?.[index]))
      throw new FileRemovedError('the file was removed');
  }

  #identifyFiles(): readonly (string | null)[] {
    return [this.path, walPath(this.path)].map(identify);
  }
}
