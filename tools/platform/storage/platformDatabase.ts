import { closeSync, existsSync, fdatasync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { DamagedFileError } from './damagedFileError.ts';
import { createDatabase, isCorrupt, openDatabase } from './openDatabase.ts';
import { lockPath, removeAll, walPath } from './platformPaths.ts';
import type { Database } from './sqlite.ts';

const syncData = promisify(fdatasync);

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

interface OpenLog {
  readonly fd: number;
  /** Which files the database and its log are. */
  readonly files: readonly (string | null)[];
}

/**
 * The database's file. It is created by the first change.
 *
 *   absent ── write ──▶ open ── remove ──▶ absent
 *                        └──── close ──▶ closed
 */
export class PlatformDatabase {
  #database: Database | null;
  #log: OpenLog | null = null;
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
   * Makes some changes together. They are in SQLite's log, but are safe from a power cut only after `sync`.
   * @throws the system's error, or SQLite's: nothing is changed.
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
  }

  /**
   * Resolves when everything that was written is on the disk. The wait does not block: SQLite's own sync would.
   * @throws {FileRemovedError} when the file was removed; else the system's error.
   */
  async sync(): Promise<void> {
    const log = (this.#log ??= this.#openLog());
    await syncData(log.fd);
    this.#checkFiles(log);
  }

  /** Copies SQLite's log into the file, and closes it. */
  close(): void {
    if (this.#log !== null) closeSync(this.#log.fd);
    this.#log = null;
    const database = this.#database;
    this.#database = null;
    database?.close();
    // As after an unclean end, the next start checks the whole file.
    if (this.#isDamaged) mkdirSync(lockPath(this.path), { recursive: true, mode: 0o700 });
    this.#isDamaged = false;
  }

  /**
   * Removes the file, the files of earlier versions, and all copies.
   * @throws the system's error.
   */
  remove(): void {
    this.close();
    removeAll(this.path);
  }

  #openLog(): OpenLog {
    const wal = walPath(this.path);
    if (!existsSync(wal)) throw new FileRemovedError('the log was removed');
    // Windows syncs only a file that is open for writing.
    const fd = openSync(wal, 'r+');
    syncFolder(dirname(this.path));
    return { fd, files: this.#identifyFiles() };
  }

  #checkFiles({ files }: OpenLog): void {
    const now = this.#identifyFiles();
    if (!files.every((file, index) => file === now[index]))
      throw new FileRemovedError('the file was removed');
  }

  #identifyFiles(): readonly (string | null)[] {
    return [this.path, walPath(this.path)].map(identify);
  }
}
