import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quarantineFile, syncFolder } from '#node/writeFileAtomically.ts';

/** The file's name in the data folder. */
export const PLATFORM_FILE = 'platform.sqlite';

/** SQLite's write-ahead log: the newest changes, until they are copied into the file. */
export const walPath = (path: string): string => `${path}-wal`;

/** The folder by which SQLite's WebAssembly build locks the file. A killed process leaves it. */
export const lockPath = (path: string): string => `${path}.lock`;

/** A database that is being created; it gets its name when it is complete. */
export const unfinishedPath = (path: string): string => `${path}.new`;

/** Removes the database's leftovers of a killed process: the lock, and a database that was not complete. */
export function removeUnfinished(path: string): void {
  for (const leftover of [lockPath(path), ...besides(unfinishedPath(path))])
    rmSync(leftover, { recursive: true, force: true });
}

/** Returns the name of the newest damaged database that was renamed; `null` when there is none. */
export function quarantinedName(path: string): string | null {
  const prefix = `${basename(path)}.corrupt-`;
  const numbers = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)));
  const newest = Math.max(...numbers.filter(Number.isInteger));
  return newest > 0 ? `${prefix}${newest}` : null;
}

/** Renames a database and its log, so that SQLite can still open both; returns the new path. */
export function quarantineDatabase(path: string): string {
  const quarantined = quarantineFile(path);
  if (existsSync(walPath(path))) renameSync(walPath(path), walPath(quarantined));
  return quarantined;
}

/**
 * Removes the database and its copies.
 * @throws the system's error.
 */
export function removeAll(path: string): void {
  for (const found of besides(path)) rmSync(found, { recursive: true, force: true });
  syncFolder(dirname(path));
}

/** Returns the file, and each in its folder whose name is the file's with a suffix: `….lock`, `…-wal`, `….corrupt-1`. */
function besides(path: string): readonly string[] {
  const [folder, own] = [dirname(path), basename(path)];
  const isOurs = (name: string) => name === own || name.startsWith(`${own}.`) || name.startsWith(`${own}-`);
  return readdirSync(folder)
    .filter(isOurs)
    .map((name) => join(folder, name));
}

/** The database's file is damaged. `message` is for the person. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
  override readonly message =
    'The platform’s file is damaged. Start Parley again: it keeps the file and begins a new one.';
}
