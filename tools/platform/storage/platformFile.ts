import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { writeFileAtomically, writePiecesAtomically } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { OUTGOING_BYTES } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { Journal, JournalRemovedError, journalPath } from './journal.ts';
import type { JournalRecord } from './journalText.ts';
import { type StoredAccount, writeStored } from './storedPlatform.ts';

const NOT_WRITTEN = 'the platform’s messages cannot be written: they stay in memory and the platform retries';
const REMOVED =
  'the platform’s journal was removed: nothing is kept or sent from now on; restart the platform';

/** The pause after a failed write, in milliseconds. */
const RETRY_MS = 1000;
/** The journal is merged into the file when it is larger than this and than the file. */
const JOURNAL_BYTES = 8_000_000;

/** The options of `PlatformFile`. */
interface PlatformFileOptions {
  readonly path: string;
  /** The generation that was loaded; `null` when there is no file yet. */
  readonly generation: number | null;
  /** Returns every account, with everything that was appended. */
  readonly accounts: () => readonly StoredAccount[];
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Entry {
  /** `null`: waits for the earlier entries only. */
  readonly line: string | null;
  readonly committed: () => void;
  readonly failed?: (() => void) | undefined;
}

/**
 * The platform's data on the disk: a file with everything, and a journal of the later records. Whenever the process is
 * killed, everything that was committed is on the disk.
 *
 *   idle ──append──▶ committing, in groups ──on the disk──▶ idle
 *   committing ──the journal is large──▶ merging: a new file, no journal ──▶ committing
 *   committing ──failed──▶ waiting, logged ──a second later──▶ committing
 *   committing ──the journal was removed──▶ lost: nothing is committed any more
 */
export class PlatformFile {
  readonly #journal: Journal;
  #generation: number | null;
  /** Size of the file in characters, if this process wrote it. */
  #fileSize = 0;
  #waiting: Entry[] = [];
  #committing: Entry[] = [];
  #running: Promise<void> | null = null;
  #cancelRetry: Cancel | null = null;
  /** Size in characters of the records that are not on the disk yet. */
  #held = 0;
  #isFailing = false;
  #isLost = false;

  constructor(private readonly options: PlatformFileOptions) {
    this.#journal = new Journal(journalPath(options.path));
    this.#generation = options.generation;
  }

  /**
   * Calls `committed` when the record is on the disk, after everything that was appended before. With `failed`, the record
   * is dropped when it cannot be written; without, it waits until it can be.
   */
  append(record: JournalRecord, committed: () => void, failed?: () => void): void {
    this.#add({ line: JSON.stringify(record), committed, failed });
  }

  /** Calls `committed` when everything that was appended before is on the disk. */
  afterCommit(committed: () => void): void {
    this.#add({ line: null, committed });
  }

  /** Returns whether too many records wait for the disk to append more. */
  isFull(): boolean {
    return this.#held > OUTGOING_BYTES;
  }

  /** Writes everything into the file and removes the journal, which version 0.1.0 does not read. */
  async close(): Promise<void> {
    await this.#start();
    this.#cancelRetry?.();
    if (this.#isMerged()) return;
    try {
      await this.#merge();
    } catch (error) {
      this.options.logger.error({ code: errorCode(error) }, NOT_WRITTEN);
    }
  }

  /** Does the same synchronously, in the process's `exit` event. */
  closeSync(): void {
    if (this.#isMerged()) return;
    try {
      writeFileAtomically(this.options.path, this.#nextText());
      this.#journal.drop();
    } catch (error) {
      this.options.logger.error({ code: errorCode(error) }, NOT_WRITTEN);
    }
  }

  /**
   * Removes the file, the journal and their copies. Accounts that were added since are written to a new file.
   * @throws the system's error.
   */
  async remove(): Promise<void> {
    await this.#start();
    this.#running = this.#removeAll();
    try {
      await this.#running;
    } finally {
      this.#running = null;
      void this.#start();
    }
  }

  async #removeAll(): Promise<void> {
    this.#journal.drop();
    this.#generation = null;
    await removeCopies(this.options.path);
    if (this.options.accounts().length > 0) await this.#merge();
  }

  /** Returns whether the file contains everything, or nothing more can be written. */
  #isMerged(): boolean {
    return (
      this.#isLost ||
      (this.#journal.size === 0 && lines([...this.#committing, ...this.#waiting]).length === 0)
    );
  }

  #add(entry: Entry): void {
    if (this.#isLost) entry.failed?.();
    else {
      this.#waiting.push(entry);
      this.#held += lengthOf([entry]);
    }
    void this.#start();
  }

  #start(): Promise<void> {
    const mayRun = this.#cancelRetry === null && !this.#isLost && this.#waiting.length > 0;
    if (mayRun) this.#running ??= this.#run();
    return this.#running ?? Promise.resolve();
  }

  async #run(): Promise<void> {
    // Records that are appended in the same event-loop turn are committed together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      this.#committing = this.#waiting;
      this.#waiting = [];
      try {
        await this.#commit();
      } catch (error) {
        this.#onFailure(error);
        break;
      }
      this.#isFailing = false;
      this.#settle();
    }
    this.#running = null;
  }

  #settle(): void {
    const done = this.#committing;
    this.#committing = [];
    this.#held -= lengthOf(done);
    for (const { committed } of done) committed();
  }

  async #commit(): Promise<void> {
    const records = lines(this.#committing);
    if (records.length === 0) return;
    const isLarge = this.#journal.size > Math.max(JOURNAL_BYTES, this.#fileSize);
    if (this.#generation === null || isLarge) await this.#merge();
    else await this.#journal.append(this.#generation, records);
  }

  /** Writes the accounts to a new file. They contain all appended records, so this also commits the waiting ones. */
  async #merge(): Promise<void> {
    this.#committing = [...this.#committing, ...this.#waiting];
    this.#waiting = [];
    const text = this.#nextText();
    await writePiecesAtomically(this.options.path, [text]);
    this.#generation = (this.#generation ?? 0) + 1;
    this.#fileSize = text.length;
    this.#journal.drop();
    this.#settle();
  }

  #nextText(): string {
    return writeStored(this.options.accounts(), (this.#generation ?? 0) + 1);
  }

  #onFailure(error: unknown): void {
    const { clock, logger } = this.options;
    this.#isLost = error instanceof JournalRemovedError;
    if (this.#isLost) logger.error(REMOVED);
    else if (!this.#isFailing) logger.error({ code: errorCode(error) }, NOT_WRITTEN);
    this.#isFailing = true;
    const entries = [...this.#committing, ...this.#waiting];
    this.#committing = [];
    this.#waiting = entries.filter(({ failed }) => failed === undefined);
    this.#held = lengthOf(this.#waiting);
    for (const { failed } of entries) failed?.();
    if (this.#isLost) return;
    this.#cancelRetry = clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      void this.#start();
    });
  }
}

const lines = (entries: readonly Entry[]): readonly string[] => entries.flatMap(({ line }) => line ?? []);

const lengthOf = (entries: readonly Entry[]): number =>
  entries.reduce((length, { line }) => length + (line?.length ?? 0), 0);

/** Removes every file whose name begins with the file's or the journal's, also quarantined files. */
async function removeCopies(path: string): Promise<void> {
  const folder = dirname(path);
  const ours = [basename(path), basename(journalPath(path))];
  for (const name of await readdir(folder)) {
    if (ours.some((own) => name === own || name.startsWith(`${own}.`))) await rm(join(folder, name));
  }
}
