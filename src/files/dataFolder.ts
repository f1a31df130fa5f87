import { type Stats, accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { dataDir } from '#shared/dataDir.ts';
import { DataFolderError, toDataFolderError } from './dataFolderError.ts';

/** The system, as far as the folder depends on it. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Node's `process.platform`. */
  readonly os: string;
  /** @throws when the user has neither HOME nor an entry in the user database. */
  readonly home: () => string;
  /** The user's number; `undefined` on Windows, where a folder's access list decides instead. */
  readonly uid: number | undefined;
}

/** This process's own. */
export const surroundings = (): Surroundings => ({
  environment: process.env,
  os: process.platform,
  home: homedir,
  uid: process.getuid?.(),
});

/**
 * Returns the path of the data folder, ready for use: `wanted`, else `PARLEY_DATA_DIR`, else the per-user folder. Creates a
 * missing folder with mode 0700. A link is followed: the folder that it names is the one that is checked, and returned.
 * The per-user folder of its owner is set to 0700; any other folder that is not its owner's alone is refused.
 * @throws {DataFolderError} when the folder cannot be used.
 */
export function prepareDataFolder(wanted: string | null, system: Surroundings = surroundings()): string {
  const named = wanted ?? (system.environment.PARLEY_DATA_DIR || null);
  const path = resolve(named ?? perUserFolder(system));
  try {
    if (system.uid === ROOT) refuseRootInHomes(path);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const stats = statSync(path);
    if (system.uid !== undefined) refuseOthers({ path, stats, uid: system.uid, isPerUser: named === null });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw toDataFolderError(path, error);
  }
}

function perUserFolder({ environment, os, home }: Surroundings): string {
  try {
    return dataDir(environment, os, home);
  } catch (cause) {
    throw new DataFolderError(
      'this user has no home folder: set HOME, or name a data folder with PARLEY_DATA_DIR',
      2,
      { cause },
    );
  }
}

const OPEN_TO_OTHERS = 0o077;
const ROOT = 0;

interface Checked {
  readonly path: string;
  readonly stats: Stats;
  readonly uid: number;
  readonly isPerUser: boolean;
}

function refuseOthers({ path, stats, uid, isPerUser }: Checked): void {
  if (stats.uid !== uid)
    throw new DataFolderError(
      `the data folder ${path} belongs to another user (number ${stats.uid}): ${asThatUser(uid)}, ` +
        'or name a folder of your own with PARLEY_DATA_DIR',
    );
  if ((stats.mode & OPEN_TO_OTHERS) === 0) return;
  if (isPerUser) chmodSync(path, 0o700);
  else
    throw new DataFolderError(
      `the data folder ${path} is open to other users: run \`chmod 700 ${quoted(path)}\`, ` +
        'or name another folder with PARLEY_DATA_DIR',
    );
}

/** With `sudo` and the person's HOME, a new folder in that home would belong to root and lock the person out. */
function refuseRootInHomes(path: string): void {
  const existing = nearestExisting(path);
  // A folder that exists is checked by its own owner.
  if (existing === path) return;
  const { uid } = statSync(existing);
  if (uid === ROOT) return;
  throw new DataFolderError(
    `the data folder ${path} would belong to root, and ${existing} belongs to another user (number ${uid}): ` +
      `${asThatUser(ROOT)}, or name a folder of your own with PARLEY_DATA_DIR`,
  );
}

const asThatUser = (uid: number) => `start Parley as that user${uid === ROOT ? ', without sudo' : ''}`;

const nearestExisting = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;

/** A path as a shell takes it. */
const quoted = (path: string) =>
  /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
