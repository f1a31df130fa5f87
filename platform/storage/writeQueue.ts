import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorCode } from '#shared/formatText.ts';
import { OUTGOING_BYTES } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { type Database, FileRemovedError } from './platformDatabase.ts';

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
  /** Without a change, the entry waits for those before it. */
  readonly change?: Change | undefined;
  readonly committed: () => void;
  /** Called when the change cannot be written, which is then dropped; without this function, the change waits for the disk. */
  readonly failed?: (() => void) | undefined;
}

interface WriteQueueOptions {
  /** Makes a change, and returns when it is on the disk. */
  readonly write: (change: Change) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the time of a write, in milliseconds. */
  readonly onCommit?: ((ms: number) => void) | undefined;
}

/**
 * Writes what is enqueued, one change after the other.
 *
 *   idle ──enqueue──▶ writing ──nothing waits──▶ idle
 *   writing ──failed──▶ waiting, logged ──a second later──▶ writing
 *   writing ──the file was removed──▶ lost: nothing is written any more
 */
export class WriteQueue {
  #waiting: Entry[] = [];
  #running: Promise<void> | null = null;
  #cancelRetry: Cancel | null = null;
  /** Size of the entries that are not on the disk. */
  #held = 0;
  /** Whether the failure of now was logged. */
  #hasLogged = false;
  #isLost = false;

  constructor(private readonly options: WriteQueueOptions) {}

  enqueue(entry: Entry): void {
    if (this.#isLost) {
      entry.failed?.();
      return;
    }
    this.#waiting.push(entry);
    this.#held += entry.size;
    void this.settle();
  }

  /** Whether the last write failed, and the next one waits. */
  get isFailing(): boolean {
    return this.#isLost || this.#cancelRetry !== null;
  }

  /** Returns why no more may be enqueued, or `null`. */
  refusal(): 'full' | 'removed' | null {
    if (this.#isLost) return 'removed';
    return this.#held > OUTGOING_BYTES ? 'full' : null;
  }

  /** Resolves when nothing is being written: everything is on the disk, or must wait after a failure. */
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
      for (const { change } of this.#waiting) if (change !== undefined) this.options.write(change);
    } catch (error) {
      this.options.logger.error({ reason: reasonOf(error) }, NOT_WRITTEN);
    }
  }

  /** Forgets the messages that wait, but not the other changes, which are written next: the file was removed on purpose. */
  restart(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#waiting = this.#waiting.filter(({ failed }) => failed !== undefined);
    this.#held = 0;
    this.#isLost = false;
    void this.settle();
  }

  /** The event loop has a turn between two writes. */
  async #run(): Promise<void> {
    do await nextTurn();
    while (!this.#isLost && this.#writeNext());
    this.#running = null;
  }

  /** Returns whether more can be written now. */
  #writeNext(): boolean {
    const [entry] = this.#waiting;
    if (entry === undefined) return false;
    if (entry.change !== undefined) {
      try {
        this.#write(entry.change);
      } catch (error) {
        this.#fail(error);
        return false;
      }
    }
    this.#waiting.shift();
    this.#held -= entry.size;
    entry.committed();
    return this.#waiting.length > 0;
  }

  #write(change: Change): void {
    const { clock, write, onCommit } = this.options;
    const start = clock.now();
    write(change);
    onCommit?.(clock.now() - start);
    this.#hasLogged = false;
  }

  #fail(error: unknown): void {
    const { clock, logger } = this.options;
    const entries = this.#waiting;
    this.#waiting = entries.filter(({ failed }) => failed === undefined);
    for (const { failed } of entries) failed?.();
    this.#isLost ||= error instanceof FileRemovedError;
    if (this.#isLost) {
      logger.error(REMOVED);
      this.#waiting = [];
      return;
    }
    if (!this.#hasLogged) logger.error({ reason: reasonOf(error) }, NOT_WRITTEN);
    this.#hasLogged = true;
    this.#cancelRetry = clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      void this.settle();
    });
  }
}

/** Returns the system's code, or SQLite's words. Neither contains a value. */
const reasonOf = (error: unknown): string | undefined =>
  errorCode(error) ?? (error instanceof Error ? error.message : undefined);
