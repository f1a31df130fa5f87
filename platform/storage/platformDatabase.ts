import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite, { type Database as SqliteDatabase } from 'node-sqlite3-wasm';
import type { Logger } from 'pino';
import { syncFolder } from '#node/writeFileAtomically.ts';
import { migrateAnswers } from './migrateAnswers.ts';
import {
  DamagedFileError,
  lockPath,
  quarantineDatabase,
  removeAll,
  removeUnfinished,
  unfinishedPath,
  walPath,
} from './platformFile.ts';

/** SQLite as WebAssembly, with Node's file system. Loading it takes about 70 ms. All its functions are synchronous. */
export const { Database } = sqlite;

/** An open database. */
export type Database = SqliteDatabase;

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

/** Marks the file as ours in its header: "Prly". */
const APPLICATION_ID = 0x50726c79;
/** The version of the tables and of the messages in them. In version 1, answers were plain text and HTML. */
const VERSION = 2;

const TABLES = `
  CREATE TABLE accounts (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE,
    password TEXT,
    host_user TEXT,
    person TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  CREATE TABLE messages (
    account INTEGER NOT NULL REFERENCES accounts (number),
    number INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (account, number)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`;

/** The file of version 0.1. */
const OLD_FILE = 'platform.json';
const OLD =
  'the accounts and conversations in platform.json are of version 0.1 and are not read: register again. The file stays as it is; delete it when you need it no more';

/** SQLite's header: its magic text, and the offsets of two numbers. */
const HEADER = { bytes: 100, magic: 'SQLite format 3\0', version: 60, applicationId: 68 } as const;

/** The messages of a larger file are checked at the start only after an unclean end: the check reads about 200 MB a second. */
const ALWAYS_CHECKED_BYTES = 16_000_000;

/** Returns whether the messages of a file were perhaps not checked when it was opened. */
export const isLarge = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > ALWAYS_CHECKED_BYTES;

/**
 * Opens the database; returns `null` when there is none. A file that is not ours or is corrupt is renamed, so that nothing is
 * lost. The caller owns the data folder: the lock of a killed process is removed.
 * @throws the system's error, or SQLite's.
 */
export function openDatabase(path: string, logger: Logger): Database | null {
  const isUnclean = existsSync(lockPath(path));
  removeUnfinished(path);
  if (!existsSync(path)) {
    // Without its file, a log would be applied to the next one.
    if (existsSync(walPath(path))) quarantine(walPath(path), logger);
    if (existsSync(join(dirname(path), OLD_FILE))) logger.warn(OLD);
    return null;
  }
  const database = isOurs(path) ? tryOpen(path, isUnclean) : null;
  if (database === null) quarantine(path, logger);
  return database;
}

/**
 * Creates the database: whenever the process is killed, there is none or a complete one.
 * @throws the system's error, or SQLite's.
 */
export function createDatabase(path: string): Database {
  removeUnfinished(path);
  const unfinished = unfinishedPath(path);
  // SQLite would create it with the same mode; here the error has a code.
  closeSync(openSync(unfinished, 'wx', 0o600));
  const database = new Database(unfinished);
  try {
    configure(database, unfinished);
    database.exec(TABLES);
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
  return configure(new Database(path, { fileMustExist: true }), path);
}

/**
 * The log (WAL), because this build of SQLite does not roll back a journal that a killed process has left. It needs the
 * exclusive lock, because there is no shared memory. With FULL, a transaction is on the disk when COMMIT returns. The folder of
 * the lock gets the mode of all our folders (contract §2).
 */
function configure(database: Database, path: string): Database {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const { journal_mode: mode } = database.get('PRAGMA journal_mode = WAL') ?? {};
  if (mode !== 'wal') throw new Error('the database cannot use a write-ahead log');
  database.exec('PRAGMA synchronous = FULL');
  chmodSync(lockPath(path), 0o700);
  return database;
}

/** Returns whether the header is that of our database, in a version that we can read. An empty file is not ours. */
function isOurs(path: string): boolean {
  const header = Buffer.alloc(HEADER.bytes);
  const fd = openSync(path, 'r');
  try {
    if (readSync(fd, header, 0, HEADER.bytes, 0) < HEADER.bytes) return false;
  } finally {
    closeSync(fd);
  }
  return (
    header.toString('latin1', 0, HEADER.magic.length) === HEADER.magic &&
    header.readInt32BE(HEADER.applicationId) === APPLICATION_ID &&
    isKnown(header.readInt32BE(HEADER.version))
  );
}

const isKnown = (version: number): boolean => version >= 1 && version <= VERSION;

/** SQLite's words for a file that is not ours or is corrupt. Its errors have no code. */
const CORRUPT = /malformed|not a database|no such (?:table|column)/u;

/** Returns whether SQLite says that the file is not ours or is corrupt. */
const isCorrupt = (error: unknown): boolean => error instanceof Error && CORRUPT.test(error.message);

/**
 * Returns `null` when the database is corrupt.
 * @throws SQLite's error when it cannot be read.
 */
function tryOpen(path: string, isUnclean: boolean): Database | null {
  const database = new Database(path, { fileMustExist: true });
  try {
    configure(database, path);
    database.get('SELECT 1 FROM accounts, messages LIMIT 1');
    const check = !isUnclean && isLarge(path) ? "PRAGMA quick_check('accounts')" : 'PRAGMA quick_check(1)';
    const { quick_check: result } = database.get(check) ?? {};
    if (result === 'ok') return migrate(database);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
  }
  database.close();
  return null;
}

/** Brings an older file up to date: whenever the process is killed, all of it is, or nothing. */
function migrate(database: Database): Database {
  const { user_version: version } = database.get('PRAGMA user_version') ?? {};
  if (version === VERSION) return database;
  database.exec('BEGIN IMMEDIATE');
  migrateAnswers(database);
  database.exec(`PRAGMA user_version = ${VERSION}`);
  database.exec('COMMIT');
  return database;
}

function quarantine(path: string, logger: Logger): void {
  logger.warn(
    { path, quarantined: quarantineDatabase(path) },
    'a file of the platform is corrupt: it was renamed',
  );
}
