import { type Stats, accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { errorCode } from '#shared/formatText.ts';
import { quoteForShell, fileErrorReason } from './fileErrorReason.ts';

/** The parts of the system that determine the folder. */
export interface System {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Node's `process.platform`. */
  readonly os: string;
  /**
   * Returns the user's home folder.
   * @throws when the user has neither HOME nor an entry in the user database.
   */
  readonly home: () => string;
  /** The user's number; `undefined` on Windows, which uses access lists instead. */
  readonly uid: number | undefined;
}

/** Returns what the place of the data folder depends on, of this process: the platform, the user and the environment. */
const currentSystem = (): System => ({
  environment: process.env,
  os: process.platform,
  home: homedir,
  uid: process.getuid?.(),
});

/**
 * Returns the path of the data folder, ready for use: `wanted`, else `PARLEY_DATA_DIR`, else the per-user folder. Creates a
 * missing folder with mode 0700. Follows a link: its target is checked and returned. Sets the per-user folder of its owner to
 * 0700; refuses any other folder to which other users have access.
 * @throws {DataFolderError} when the folder cannot be used.
 */
export function prepareDataFolder(wanted: string | null, system: System = currentSystem()): string {
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

function perUserFolder({ environment, os, home }: System): string {
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
      `the data folder ${path} belongs to another user (number ${stats.uid}): ${startAsUser(uid)}, ` +
        'or name a folder of your own with PARLEY_DATA_DIR',
    );
  if ((stats.mode & OPEN_TO_OTHERS) === 0) return;
  if (isPerUser) chmodSync(path, 0o700);
  else
    throw new DataFolderError(
      `the data folder ${path} is open to other users: run \`chmod 700 ${quoteForShell(path)}\`, ` +
        'or name another folder with PARLEY_DATA_DIR',
    );
}

/** Refuses a new folder that would belong to root in another user's home, as with `sudo` and that user's HOME. */
function refuseRootInHomes(path: string): void {
  const existing = nearestExisting(path);
  // An existing folder is checked by its own owner.
  if (existing === path) return;
  const { uid } = statSync(existing);
  if (uid === ROOT) return;
  throw new DataFolderError(
    `the data folder ${path} would belong to root, and ${existing} belongs to another user (number ${uid}): ` +
      `${startAsUser(ROOT)}, or name a folder of your own with PARLEY_DATA_DIR`,
  );
}

const startAsUser = (uid: number) => `start Parley as that user${uid === ROOT ? ', without sudo' : ''}`;

const nearestExisting = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;

/** The folder for per-user application data, by operating system. */
const APP_DATA: Record<string, (environment: Environment, home: () => string) => string> = {
  darwin: (_, home) => `${home()}/Library/Application Support`,
  win32: ({ APPDATA }, home) => APPDATA || `${home()}\\AppData\\Roaming`,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG base directory specification ignores a relative path: it would depend on the folder in which Parley starts. */
const onUnix = ({ XDG_CONFIG_HOME }: Environment, home: () => string) =>
  XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : `${home()}/.config`;

/**
 * Returns the system's per-user data folder (contract §2).
 * @param os Node's `process.platform`.
 * @param home Returns the person's home folder. It is called only when the environment does not name the data folder.
 */
export const dataDir = (environment: Environment, os: string, home: () => string): string =>
  `${(APP_DATA[os] ?? onUnix)(environment, home)}/Parley`;

/** A data folder that cannot be used. `message` is one line that says what to do. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError';

  constructor(
    message: string,
    /** The exit status of a program that cannot start without the folder: 2 when another setting helps, else 1. */
    readonly exitStatus: 1 | 2 = 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Codes of faults of the machine: the setting itself may be right. */
const MACHINE_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** Converts a system error to a `DataFolderError`; returns every other error unchanged. */
export function toDataFolderError(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof DataFolderError || code === undefined) return error;
  const isMachineFault = MACHINE_FAULTS.has(code);
  return new DataFolderError(
    `cannot use the data folder ${path}: ${fileErrorReason(error)}; ` +
      (isMachineFault ? 'solve that, then start again' : 'name another folder with PARLEY_DATA_DIR'),
    isMachineFault ? 1 : 2,
    { cause: error },
  );
}
