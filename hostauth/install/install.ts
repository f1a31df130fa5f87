import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pamFile from '../pam.d/hostauth?raw';
import { type ProgramSources, putPrograms } from './programFolder.ts';
import { backupOf, putFile, removeFile } from './stampedFile.ts';
import { systemdFiles } from './systemdFiles.ts';
import { untrustedFolder } from './untrustedFolder.ts';

export interface InstallOptions {
  /** What stands for `/`: another system's root, or a test's. */
  readonly root: string;
  /** Replaces files that have been changed by hand, and keeps these beside the new ones. */
  readonly force: boolean;
  readonly programs: ProgramSources;
}

/** What was done, a line for each thing, and whether all of it was. */
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

const KEPT = 'it has been changed by hand; --force puts ours in its place';

/**
 * Copies the programs, and puts the PAM file, the units, the user's entry and the folder of failures in place. A second
 * time it changes nothing.
 * @throws {InstallError} when other people could change the programs; then nothing is done.
 */
export async function install({ root, force, programs }: InstallOptions): Promise<InstallReport> {
  const folder = join(root, PROGRAMS);
  // Units never start what a person other than root could replace.
  const fault = await untrustedFolder(folder, root);
  if (fault !== undefined) throw new InstallError(`the programs are not installed: ${fault}`);
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  const lines = [`${await putPrograms(programs, folder)} ${folder}`];
  for (const { path, text } of FILES) {
    const at = join(root, path);
    const done = await putFile(at, text, { force });
    lines.push(`${done} ${at}${remarkOn(done, at)}`);
  }
  const tallies = join(root, TALLIES);
  const made = await mkdir(tallies, { recursive: true, mode: 0o700 });
  // A person who can write here could delete their failures.
  await chmod(tallies, 0o700);
  lines.push(`${made === undefined ? 'unchanged' : 'installed'} ${tallies}`);
  return { lines, isComplete: isComplete(lines) };
}

/** Removes all of it. The programs stay while a unit that was changed by hand starts them. */
export async function uninstall({ root, force }: InstallOptions): Promise<InstallReport> {
  const lines: string[] = [];
  for (const { path } of FILES) {
    const at = join(root, path);
    const done = await removeFile(at, { force });
    lines.push(`${done} ${at}${remarkOn(done, at)}`);
  }
  const folders = isComplete(lines) ? [WANTED, PROGRAMS, STATE] : [STATE];
  for (const folder of folders) await rm(join(root, folder), { recursive: true, force: true });
  return {
    lines: [...lines, ...folders.map((folder) => `removed ${join(root, folder)}`)],
    isComplete: isComplete(lines),
  };
}

const isComplete = (lines: readonly string[]): boolean => !lines.some((line) => line.startsWith('kept '));

function remarkOn(done: string, path: string): string {
  if (done === 'kept') return `: ${KEPT}`;
  return done === 'replaced' ? `: what was there is now ${backupOf(path)}` : '';
}
