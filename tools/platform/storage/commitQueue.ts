import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorCode } from '#shared/errorCode.ts';
import { OUTGOING_BYTES } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { FileRemovedError } from './platformDatabase.ts';
import type { Database } from './sqlite.ts';

const NOT_WRITTEN = 'the platform’s messages cannot be written: they stay in memory and the platform retries';
const REMOVED = 'the platform’s file was removed: nothing is kept or sent from now on; restart the platform';

/** The pause after a failed write, in milliseconds. */
const RETRY_MS = 1000;

/** A change of the database. */
export type Change = (database: Database) => void;

/** Something that waits for the disk. */
interface Entry {
  /** Number of characters that wait. */
  readonly size: number;
  /** A change that is written together with the others, and is dropped when it cannot be written. */
  readonly change?: Change | undefined;
  readonly committed: () => void;
  /** The change was not written, or will never be safe. */
  readonly failed?: (() => void) | undefined;
}

interface CommitQueueOptions {
  /** Writes these and all other changes in one transaction; returns whether there were any. */
  readonly write: (changes: readonly Change[]) => boolean;
  /** Resolves when everything that was written is on the disk. */
  readonly sync: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the time of a commit, from the write until it is on the disk. */
  readonly onCommit?: ((ms: number) => void) | undefined;
}

/**
 * Commits what is enqueued, in groups and in order.
 *
 *   idle ──enqueue──▶ committing, in groups ──on the disk──▶ idle
 *   committing ──failed──▶ waiting, logged ──a second later──▶ committing
 *   committing ──the file was removed──▶ lost: nothing is committed any more
 */
export class CommitQueue {
  #waiting: Entry[] = [];
  #running: Promise<void> | null = null;
  #cancelRetry: Cancel | null = null;
  /** Size of the entries that are not on the disk. */
  #held = 0;
  #isUnsynced = false;
  /** Whether the failure of now was logged. */
  #hasLogged = false;
  #isLost = false;

  constructor(private readonly options: CommitQueueOptions) {}

  enqueue(entry: Entry): void {
    if (this.#isLost) {
      entry.failed?.();
      return;
    }
    this.#waiting.push(entry);
    this.#held += entry.size;
    void this.settle();
  }

  /** Whether the last commit failed, and the next one waits. */
  get isFailing(): boolean {
    return this.#isLost || this.#cancelRetry !== null;
  }

  /** Returns why no more may be enqueued, or `null`. */
  refusal(): 'full' | 'removed' | null {
    if (this.#isLost) return 'removed';
    return this.#held > OUTGOING_BYTES ? 'full' : null;
  }

  /** Resolves when nothing is being committed: everything is on the disk, or must wait after a failure. */
  settle(): Promise<void> {
    const mayRun = this.#cancelRetry === null && !this.#isLost && this.#waiting.length > 0;
    if (mayRun) this.#running ??= this.#run();
    return this.#running ?? Promise.resolve();
  }

  /** Writes what waits, synchronously, and accepts nothing more. */
  end(): void {
    this.#cancelRetry?.();
    const isLost = this.#isLost;
    this.#isLost = true;
    if (isLost) return;
    try {
      this.options.write(this.#waiting.flatMap(({ change }) => change ?? []));
    } catch (error) {
      this.options.logger.error({ reason: reasonOf(error) }, NOT_WRITTEN);
    }
  }

  /** Forgets what waits except for changes, which are written next: the file was removed on purpose. */
  restart(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#waiting = this.#waiting.filter(({ change }) => change !== undefined);
    this.#held = 0;
    this.#isUnsynced = false;
    this.#isLost = false;
    void this.settle();
  }

  async #run(): Promise<void> {
    // What is enqueued in the same turn of the event loop is committed together.
    await nextTurn();
    while (this.#waiting.length > 0 && !this.#isLost && (await this.#commit()));
    this.#running = null;
  }

  async #commit(): Promise<boolean> {
    const { clock, onCommit } = this.options;
    const start = clock.now();
    const group = this.#waiting;
    try {
      if (this.options.write(group.flatMap(({ change }) => change ?? []))) this.#isUnsynced = true;
    } catch (error) {
      this.#waiting = group.filter(({ change }) => change === undefined);
      for (const { change, failed } of group) if (change !== undefined) failed?.();
      return this.#fail(error);
    }
    this.#waiting = [];
    try {
      if (this.#isUnsynced) await this.options.sync();
    } catch (error) {
      // The changes are written, but not safe yet.
      this.#waiting = [...group.map((entry) => ({ ...entry, change: undefined })), ...this.#waiting];
      return this.#fail(error);
    }
    if (this.#isUnsynced) onCommit?.(clock.now() - start);
    this.#isUnsynced = false;
    this.#hasLogged = false;
    for (const { size } of group) this.#held -= size;
    for (const { committed } of group) committed();
    return true;
  }

  #fail(error: unknown): false {
    const { clock, logger } = this.options;
    this.#isLost ||= error instanceof FileRemovedError;
    if (this.#isLost) {
      logger.error(REMOVED);
      for (const { failed } of this.#waiting.splice(0)) failed?.();
      return false;
    }
    if (!this.#hasLogged) logger.error({ reason: reasonOf(error) }, NOT_WRITTEN);
    this.#hasLogged = true;
    this.#cancelRetry = clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      void this.settle();
    });
    return false;
  }
}

/** Returns the system's code, or SQLite's words. Neither contains a value. */
const reasonOf = (error: unknown): string | undefined =>
  errorCode(error) ?? (error instanceof Error ? error.message : undefined);
