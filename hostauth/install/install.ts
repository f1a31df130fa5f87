import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pamFile from '../pam.d/hostauth?raw';
import { type ProgramSources, installPrograms } from './programFolder.ts';
import { backupPath, putFile, removeFile } from './stampedFile.ts';
import { systemdFiles } from './systemdFiles.ts';

/** The options of `install` and `uninstall`. */
export interface InstallOptions {
  /** The folder to install into: `/`, another system's root, or a test's. */
  readonly root: string;
  /** Whether changed files are replaced, and kept as `.bak`. */
  readonly force: boolean;
  readonly programs: ProgramSources;
}

/** The result: one line for each file or folder, and whether all of them were installed or removed. */
export interface InstallReport {
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

/** The program folder cannot be trusted. `message` says why and what to do. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

const PAM_FILE = '/etc/pam.d/hostauth';
const PROGRAMS = '/usr/local/lib/hostauth';
/** The link that `systemctl enable` makes. */
const WANTED = '/etc/systemd/system/multi-user.target.wants/hostauth.service';
const STATE = '/var/lib/hostauth';
/** Named in the PAM file. */
const TALLIES = `${STATE}/faillock`;

const FILES = [{ path: PAM_FILE, text: pamFile }, ...systemdFiles({ under: '/etc', programs: PROGRAMS })];

const KEPT = 'it was changed by hand: add --force to replace it';

/**
 * Installs the programs, the PAM file, the units, the entry of the user and the folder of failures. A second run changes
 * nothing.
 * @throws {InstallError} when other users could change the programs; then nothing is installed.
 */
export async function install({ root, force, programs }: InstallOptions): Promise<InstallReport> {
  const folder = join(root, PROGRAMS);
  // Units must not start a program that a user other than root can replace.
  const fault = await untrustedFolder(folder, root);
  if (fault !== undefined) throw new InstallError(`the programs are not installed: ${fault}`);
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  const lines = [`${await installPrograms(programs, folder)} ${folder}`];
  for (const { path, text } of FILES) {
    const at = join(root, path);
    const done = await putFile(at, text, { force });
    lines.push(`${done} ${at}${remark(done, at)}`);
  }
  const tallies = join(root, TALLIES);
  const made = await mkdir(tallies, { recursive: true, mode: 0o700 });
  // A user who can write here could delete their failures.
  await chmod(tallies, 0o700);
  lines.push(`${made === undefined ? 'unchanged' : 'installed'} ${tallies}`);
  return { lines, isComplete: isComplete(lines) };
}

/** Removes all of them. The programs stay if a changed unit, which starts them, stays. */
export async function uninstall({ root, force }: InstallOptions): Promise<InstallReport> {
  const lines: string[] = [];
  for (const { path } of FILES) {
    const at = join(root, path);
    const done = await removeFile(at, { force });
    lines.push(`${done} ${at}${remark(done, at)}`);
  }
  const folders = isComplete(lines) ? [WANTED, PROGRAMS, STATE] : [STATE];
  for (const folder of folders) await rm(join(root, folder), { recursive: true, force: true });
  return {
    lines: [...lines, ...folders.map((folder) => `removed ${join(root, folder)}`)],
    isComplete: isComplete(lines),
  };
}

const isComplete = (lines: readonly string[]): boolean => !lines.some((line) => line.startsWith('kept '));

function remark(done: string, path: string): string {
  if (done === 'kept') return `: ${KEPT}`;
  return done === 'replaced' ? `: the changed file is now ${backupPath(path)}` : '';
}

/**
 * Finds a folder on the way to a path that another user could change: its owner is neither root nor the user of this
 * process, or its group or everyone can write to it. Folders that do not exist yet are ignored.
 * @param from the first folder to check.
 * @returns one line on what is wrong.
 */
async function untrustedFolder(path: string, from: string): Promise<string | undefined> {
  const top = await realpath(from);
  const end = await realOrMissing(path);
  const owners = new Set([0, process.getuid?.()]);
  for (let at = end; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found !== undefined) {
      if (!owners.has(found.uid)) return `${at} belongs to the user ${found.uid}: root must own it`;
      if (found.mode & 0o022)
        return `${at} can be written to by others than its owner: run \`chmod go-w ${at}\``;
    }
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** Resolves the symbolic links of a path, as far as it exists. */
async function realOrMissing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await realOrMissing(dirname(path)), path.slice(dirname(path).length));
  }
}
