import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, rmSync, write } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { JOURNAL_HEAD } from './journalText.ts';

/** Returns the journal's path, beside the platform's file. */
export const journalPath = (path: string): string => path.replace(/(?:\.json)?$/u, '.journal.jsonl');

const writeAt = promisify(write);
const sync = promisify(fdatasync);

/** The journal's file was removed: further writes to it would be lost. */
export class JournalRemovedError extends Error {
  override readonly name = 'JournalRemovedError';
}

/**
 * An append-only file of records, one JSON text per line, beside the platform's file. It continues the file of the same
 * generation; a journal of another generation is a leftover.
 *
 *   none ── append: header and records ──▶ open ── append ──▶ open ── drop ──▶ none
 */
export class Journal {
  #fd: number | null = null;
  /** Bytes that are on the disk; later bytes are from an incomplete write. */
  #size = 0;

  constructor(private readonly path: string) {}

  get size(): number {
    return this.#size;
  }

  /**
   * Appends records; resolves when they are on the disk. After an error none of them counts, and the call may be repeated.
   * @throws {JournalRemovedError} when the file was removed; else the system's error.
   */
  async append(generation: number, records: readonly string[]): Promise<void> {
    const { fd, bytes } = this.#prepare(generation, records);
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await writeAt(fd, bytes, done, bytes.length - done, this.#size + done);
      done += bytesWritten;
    }
    await sync(fd);
    this.#finish(fd, bytes.length);
  }

  /** Removes the file, because another file contains its records. */
  drop(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#size = 0;
    rmSync(this.path, { force: true });
  }

  #prepare(generation: number, records: readonly string[]): { fd: number; bytes: Buffer } {
    const isNew = this.#fd === null;
    // A leftover of another generation, or a link.
    if (isNew) rmSync(this.path, { force: true });
    this.#fd ??= openSync(this.path, 'wx', 0o600);
    if (!isNew) ftruncateSync(this.#fd, this.#size);
    const head = this.#size === 0 ? [JSON.stringify({ ...JOURNAL_HEAD, follows: generation })] : [];
    return { fd: this.#fd, bytes: Buffer.from([...head, ...records].map((line) => `${line}\n`).join('')) };
  }

  #finish(fd: number, bytes: number): void {
    if (fstatSync(fd).nlink === 0) throw new JournalRemovedError('the journal was removed');
    if (this.#size === 0) syncFolder(dirname(this.path));
    this.#size += bytes;
  }
}
