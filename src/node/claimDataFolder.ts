import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '#shared/formatText.ts';
import { type Cancel, type Clock, every } from '#shared/clock.ts';
import { DataFolderError, toDataFolderError } from './dataFolder.ts';
import {
  FolderLock,
  type HeldLock,
  type Holder,
  type Owner,
  type Program,
  removeDeadLock,
} from './folderLock.ts';
import { isDiskFull } from './fileErrorReason.ts';
import { TEMPORARY_NAME, removeFiles, removeLeftovers } from './writeFileAtomically.ts';

/** The lock file's name in a data folder. */
export const LOCK_FILE = 'instance.json';

/** Another program has the data folder. `message` is one line that names the program and says what to do. */
export class FolderInUseError extends DataFolderError {
  override readonly name: string = 'FolderInUseError';

  constructor(
    message: string,
    readonly holder: Holder,
  ) {
    super(message);
  }
}

const PROGRAMS: Readonly<Record<Program, string>> = {
  web: '`npm start`',
  electron: 'the Parley window',
  platform: '`npm run platform`',
};

const describe = ({ pid, program }: Holder) => `${PROGRAMS[program]} (process ${pid})`;

/** A data folder that this process owns. */
export interface ClaimedFolder {
  /** Returns whether the path still names the claimed folder, with this process as its owner. */
  isIntact(): boolean;
  /** Releases the folder. It is also released when the process exits. */
  release(): void;
}

/**
 * Makes this program the only owner of a data folder that `prepareDataFolder` has returned, and removes the leftovers of
 * killed programs. A program shares the folder with a program that it starts itself, as `npm start` does with Electron.
 * @throws {FolderInUseError} when another program has it.
 * @throws {DataFolderError} when the folder cannot be written.
 */
export function claimDataFolder(path: string, program: Program): ClaimedFolder {
  const owner = { secret: randomBytes(32).toString('base64url'), program };
  try {
    const lock = takeLock(path, owner);
    if (!(lock instanceof FolderLock)) throw folderInUseError(path, lock.holder);
    const claim = claimPath(path, owner);
    if (claim !== null && !(claim instanceof FolderLock)) {
      lock.release();
      throw folderRemovedError(path, claim.holder);
    }
    removeLeftovers(path);
    const claimed = claimedFolder(path, [lock, ...(claim === null ? [] : [claim])]);
    process.on('exit', claimed.release);
    return claimed;
  } catch (error) {
    throw toDataFolderError(path, error);
  }
}

/**
 * Takes the lock of a data folder: the file in it or, on a full disk, the claim of its path in the folder for temporary files.
 * @throws the system's error.
 */
export function takeLock(path: string, owner: Owner): FolderLock | HeldLock {
  try {
    return FolderLock.take(join(path, LOCK_FILE), owner);
  } catch (error) {
    const claim = isDiskFull(error) ? claimPath(path, owner) : null;
    if (claim === null) throw error;
    return claim;
  }
}

const folderInUseError = (path: string, holder: Holder) =>
  new FolderInUseError(
    `the data folder ${path} is in use by ${describe(holder)}: ` +
      'end that program first, or name another folder with PARLEY_DATA_DIR',
    holder,
  );

const folderRemovedError = (path: string, holder: Holder) =>
  new FolderInUseError(
    `the data folder ${path} was removed while ${describe(holder)} used it: ` +
      'end that program first, or name another folder with PARLEY_DATA_DIR',
    holder,
  );

function claimedFolder(path: string, locks: readonly FolderLock[]): ClaimedFolder {
  const { dev, ino } = statSync(path);
  return {
    isIntact() {
      const now = statSync(path, { throwIfNoEntry: false });
      return now?.ino === ino && now.dev === dev && (locks[0]?.isHeld() ?? false);
    },
    release: () => locks.forEach(releaseIfPossible),
  };
}

/** Releases a lock. The folder may be removed or read-only: the next program notices that the owner's process has ended. */
function releaseIfPossible(lock: FolderLock): void {
  try {
    lock.release();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

const CLAIM_NAME = /^[0-9a-f]{32}\.json$/u;

/** Minimum age of a leftover, in milliseconds: a starting program needs its temporary file for less than a minute. */
const LEFTOVER_MS = 60_000;

/**
 * Locks the path itself, outside of the folder: when the folder of a running program was removed, no second program starts
 * on a new folder at that path. Returns `null` when the system's folder for temporary files cannot be used.
 */
function claimPath(path: string, owner: Owner): FolderLock | HeldLock | null {
  try {
    const folder = claimsFolder();
    if (folder === null) return null;
    removeFiles(folder, [TEMPORARY_NAME], LEFTOVER_MS);
    for (const name of readdirSync(folder)) if (CLAIM_NAME.test(name)) removeDeadLock(join(folder, name));
    const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
    return FolderLock.take(join(folder, `${name}.json`), owner);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

/** Returns `/tmp/parley-<user number>`; `null` when others have access to it. */
function claimsFolder(): string | null {
  const uid = process.getuid?.();
  const folder = join(tmpdir(), uid === undefined ? 'parley' : `parley-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) return null;
  return uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0) ? folder : null;
}

/** Interval of the checks, in milliseconds. */
const WATCH_MS = 1000;

const REMOVED =
  'The data folder was removed or replaced while Parley runs. Nothing is saved from now on: quit Parley, then start it again.';

interface Options {
  readonly folder: Pick<ClaimedFolder, 'isIntact'>;
  readonly clock: Clock;
  readonly log: { error(text: string): void };
  /** Shows a sentence to the person, where there is a window. */
  readonly notify?: (text: string) => void;
}

/** Reports once, in the log and to the person, that the data folder is no longer the one that this process claimed. */
export function watchDataFolder({ folder, clock, log, notify }: Options): Cancel {
  const stop = every(clock, WATCH_MS, () => {
    if (folder.isIntact()) return;
    stop();
    log.error('the data folder was removed or replaced: nothing is saved from now on; restart the program');
    notify?.(REMOVED);
  });
  return stop;
}
