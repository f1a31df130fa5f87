import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { DataFolderError, toDataFolderError } from '#node/dataFolder.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import {
  type ListedAccount,
  type NewAccount,
  type StoredAccount,
  countAccounts,
  findAccount,
  insertAccount,
  listAccounts,
  renamePerson,
  setAside,
  setRevoked,
} from './accountRows.ts';
import { MEMORY_LIMIT, type StoredConversation } from './conversationLog.ts';
import { type ChangedRow, ConversationTail, checkMessages, readNewest, writeMessage } from './messageRows.ts';
import { PlatformDatabase, isLarge } from './platformDatabase.ts';
import { quarantinedName } from './platformFile.ts';
import { type Change, WriteQueue } from './writeQueue.ts';

/** The options of `PlatformStore`. */
interface PlatformStoreOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the time of each commit, in milliseconds. */
  readonly onCommit?: ((ms: number) => void) | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
}

const NO_MESSAGES = { number: 0, messages: [] } as const;

/**
 * The platform's accounts and conversations on the disk. Whenever the process is killed, everything that was committed is
 * there.
 */
export class PlatformStore {
  readonly #database: PlatformDatabase;
  readonly #queue: WriteQueue;
  /** The ends of the conversations that frames were appended to, by the account's number. */
  readonly #tails = new Map<number, ConversationTail>();
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  readonly #cancelCheck: Cancel;
  readonly #path: string;

  /** @throws the system's error, or `DataFolderError`. */
  constructor({ path, clock, logger, onCommit, now = Date.now }: PlatformStoreOptions) {
    this.#path = path;
    this.#database = new PlatformDatabase(path, logger);
    this.now = now;
    const write = (change: Change) => this.#database.write(change);
    this.#queue = new WriteQueue({ write, clock, logger, onCommit });
    this.#cancelCheck = isLarge(path)
      ? checkMessages((query, absent) => this.#database.read(query, absent), clock)
      : () => undefined;
  }

  /** Returns the account with this identifier or email, also a revoked one. */
  account(key: 'id' | 'email', value: string): StoredAccount | undefined {
    return this.#database.read((database) => findAccount(database, key, value), undefined);
  }

  /** Returns the name of the newest file that was damaged and renamed; `null` when there is none. */
  quarantined(): string | null {
    return quarantinedName(this.#path);
  }

  accounts(): readonly ListedAccount[] {
    return this.#database.read(listAccounts, []);
  }

  count(): number {
    return this.#database.read(countAccounts, 0);
  }

  /** Returns the newest messages of an account: at most those that a client can read. */
  conversation({ number, person }: StoredAccount): StoredConversation {
    const newest = this.#database.read((database) => readNewest(database, number, MEMORY_LIMIT), NO_MESSAGES);
    return { person, messages: newest.messages };
  }

  /** Adds an account; resolves when it is on the disk, or could not be written there. */
  async add(account: NewAccount): Promise<'added' | 'taken' | 'notStored'> {
    let isFree = false;
    const isStored = await this.#change((database) => {
      isFree = insertAccount(database, account, this.now());
    });
    if (!isStored) return 'notStored';
    return isFree ? 'added' : 'taken';
  }

  /** Revokes an account, or restores it; resolves when this is on the disk, or could not be written there. */
  async setRevoked(email: string, isRevoked: boolean): Promise<'done' | 'unknown' | 'notStored'> {
    let isKnown = false;
    const isStored = await this.#change((database) => {
      isKnown = setRevoked(database, email, isRevoked ? this.now() : null);
    });
    if (!isStored) return 'notStored';
    return isKnown ? 'done' : 'unknown';
  }

  /** Revokes an account and gives its email free; resolves to whether this is on the disk. */
  setAside({ number }: StoredAccount): Promise<boolean> {
    return this.#change((database) => setAside(database, number, this.now()));
  }

  /**
   * Adds a frame to an account's conversation; calls `committed` when it is on the disk, after everything that was appended
   * before.
   * @throws {Error} when the frame is not an update.
   */
  append(account: StoredAccount, frame: string, committed: () => void): void {
    if (this.#queue.refusal() === 'removed') return;
    const tail = this.#tail(account);
    const row = tail.add(frame);
    tail.unwritten += 1;
    this.#queue.enqueue({
      size: frame.length,
      change: writeRow(account.number, row),
      committed() {
        tail.unwritten -= 1;
        committed();
      },
    });
  }

  /** Calls `committed` when everything that was appended before is on the disk. */
  afterCommit(committed: () => void): void {
    this.#queue.enqueue({ size: 0, committed });
  }

  /** Returns why no further messages are accepted, or `null`. */
  refusal(): 'full' | 'removed' | null {
    return this.#queue.refusal();
  }

  /** Whether the last write failed: what is sent waits, or is not kept at all. */
  get isFailing(): boolean {
    return this.#queue.isFailing;
  }

  /** Resolves to whether a change reaches the disk now. */
  async canWrite(): Promise<boolean> {
    if (this.#queue.isFailing) return false;
    const isAbsent = this.#database.read(() => false, true);
    return isAbsent || this.#change(rewriteVersion);
  }

  /** Drops the end of a conversation from memory; returns `false` when frames of it wait for the disk. */
  forget({ number }: StoredAccount): boolean {
    if ((this.#tails.get(number)?.unwritten ?? 0) > 0) return false;
    this.#tails.delete(number);
    return true;
  }

  /** Resolves when everything that was appended is on the disk, or cannot be written now. */
  settle(): Promise<void> {
    return this.#queue.settle();
  }

  /** Writes everything, and closes the file. */
  async close(): Promise<void> {
    await this.settle();
    this.closeSync();
  }

  /** Does the same synchronously, in the process's `exit` event. */
  closeSync(): void {
    this.#cancelCheck();
    this.#queue.end();
    this.#database.close();
  }

  /**
   * Removes the file and all copies. Accounts that wait for the disk are written to a new file.
   * @throws the system's error.
   */
  async remove(): Promise<void> {
    await this.#queue.settle();
    this.#tails.clear();
    this.#database.remove();
    this.#queue.restart();
  }

  #tail({ number, person }: StoredAccount): ConversationTail {
    const known = this.#tails.get(number);
    if (known !== undefined) return known;
    const limit = { messages: 1, characters: Infinity };
    const newest = this.#database.read((database) => readNewest(database, number, limit), NO_MESSAGES);
    const tail = new ConversationTail({ person, ...newest });
    this.#tails.set(number, tail);
    return tail;
  }

  /** Resolves to whether the change is on the disk. */
  #change(change: Change): Promise<boolean> {
    return new Promise((resolve) => {
      this.#queue.enqueue({
        size: 0,
        change,
        committed: () => resolve(true),
        failed: () => resolve(false),
      });
    });
  }
}

/** Returns the change that writes a row; `undefined` when the frame has changed none. */
function writeRow(account: number, { person, message }: ChangedRow): Change | undefined {
  if (person === null && message === null) return undefined;
  return (database) => {
    if (person !== null) renamePerson(database, account, person);
    if (message !== null) writeMessage(database, { account, number: message.number, json: message.json() });
  };
}

/** A change without an effect, which is written to the disk as every other one. */
function rewriteVersion(database: Parameters<Change>[0]): void {
  const { user_version: version } = database.get('PRAGMA user_version') ?? {};
  database.exec(`PRAGMA user_version = ${z.int().parse(version)}`);
}

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
