import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { errorCode } from '#shared/formatText.ts';
import { tryParseJson } from '#shared/json.ts';
import { isDiskFull } from './fileErrorReason.ts';
import { temporaryPath, writeFileAtomically } from './writeFileAtomically.ts';

/** The programs that own a data folder while they run. */
export type Program = 'web' | 'electron' | 'platform';

/** The owner of a data folder: its process, program and port, and the secret for a hand-over. */
const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** The start time of the process in the system's units; empty on systems without it. Distinguishes a later process with the same number. */
  began: z.string(),
  secret: z.string(),
  /** `null` until it listens. */
  port: z.number().int().nullable(),
  /** A program that only a newer version has holds the lock too. */
  program: z.enum(['web', 'electron', 'platform']).catch('web'),
});

/** The process that holds a lock, as its file describes it. */
export type Holder = z.infer<typeof holderSchema>;

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

const parse = (text: string): Holder | null => holderSchema.safeParse(tryParseJson(text)).data ?? null;

/** Returns when a process began, in Linux's clock ticks (field 22 of its stat); an empty text on other systems. */
function readStartTime(pid: number): string {
  const stat = process.platform === 'linux' ? readIfExists(`/proc/${pid}/stat`) : null;
  // The name, in brackets, may contain spaces and brackets.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Returns whether the holder's process still runs: a killed process leaves its file. */
const isAlive = ({ pid, began }: Holder) => exists(pid) && readStartTime(pid) === began;

/** Returns the running holder of a lock, if any. */
export function readHolder(file: string): Holder | null {
  const text = readIfExists(file);
  const holder = text === null ? null : parse(text);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** Who takes a lock. */
export type Owner = Pick<Holder, 'secret' | 'program'>;

/** A lock that another running process has. */
export interface HeldLock {
  readonly file: string;
  readonly holder: Holder;
}

/** Returns whether this process or its parent has the lock: `npm start` takes it before it starts Electron. */
const isOurs = ({ pid }: Holder) => pid === process.pid || pid === process.ppid;

/** Maximum number of attempts: two programs that start at once may disturb each other. */
const ATTEMPTS = 10;

/** The lock of this process. */
export class FolderLock {
  #holder: Holder;

  private constructor(
    readonly file: string,
    holder: Holder,
  ) {
    this.#holder = holder;
  }

  /**
   * Takes the lock, or continues the lock of this process or its parent; returns the holder when another running process has
   * it. The folder must exist.
   * @throws the system's error.
   */
  static take(file: string, { secret, program }: Owner): FolderLock | HeldLock {
    const fresh = { pid: process.pid, began: readStartTime(process.pid), secret, port: null, program };
    for (let attempt = 1; ; attempt++) {
      const holder = readHolder(file);
      if (holder !== null)
        return isOurs(holder) ? FolderLock.#continue(file, holder, program) : { file, holder };
      removeDeadLock(file);
      const lock = new FolderLock(file, fresh);
      if (lock.#claim(attempt < ATTEMPTS)) return lock;
    }
  }

  static #continue(file: string, holder: Holder, program: Program): FolderLock {
    const lock = new FolderLock(file, {
      ...holder,
      pid: process.pid,
      began: readStartTime(process.pid),
      program,
    });
    lock.#write();
    return lock;
  }

  get secret(): string {
    return this.#holder.secret;
  }

  /** Writes the port on which this process listens. */
  publish(port: number): void {
    this.#holder = { ...this.#holder, port };
    this.#write();
  }

  #write(): void {
    const text = JSON.stringify(this.#holder);
    try {
      writeFileAtomically(this.file, text);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      overwrite(this.file, text);
    }
  }

  /** Returns whether the file still names this process. */
  isHeld(): boolean {
    const text = readIfExists(this.file);
    const holder = text === null ? null : parse(text);
    return holder?.secret === this.secret && holder.pid === process.pid;
  }

  /** Removes the file, unless another process has taken the lock. */
  release(): void {
    if (this.isHeld()) rmSync(this.file);
  }

  /** Creates the file exclusively and atomically. */
  #claim(mayRetry: boolean): boolean {
    try {
      writeFileAtomically(this.file, JSON.stringify(this.#holder), { isExclusive: true });
      return true;
    } catch (error) {
      // ENOENT: another program, which has the lock by now, has removed the temporary file as a leftover.
      if (mayRetry && ['EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
  }
}

/** Writes in place, which needs no room on the disk. A process that is killed meanwhile leaves a lock that nobody holds. */
function overwrite(file: string, text: string): void {
  const fd = openSync(file, 'r+');
  try {
    ftruncateSync(fd, writeSync(fd, text, 0));
  } finally {
    closeSync(fd);
  }
}

/** Removes the lock file of a dead process. It stays when a running process has taken the lock meanwhile. */
export function removeDeadLock(file: string): void {
  if (readHolder(file) !== null) return;
  const moved = temporaryPath(file);
  try {
    renameSync(file, moved);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (readHolder(moved) === null) rmSync(moved, { force: true });
  else renameSync(moved, file);
}
