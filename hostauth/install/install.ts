import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pamFile from '../pam.d/hostauth?raw';
import { backupOf, putFile, removeFile } from './stampedFile.ts';
import { type UnitPrograms, systemdUnit } from './systemdUnit.ts';

export interface InstallOptions {
  /** What stands for `/`: for a package, or a test. */
  readonly root: string;
  /** Replaces what has been changed by hand, and keeps that beside it. */
  readonly force: boolean;
  readonly programs: UnitPrograms;
}

/** What was done, a line for each thing, and whether all of it was. */
export interface InstallReport {
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

const PAM_FILE = '/etc/pam.d/hostauth';
const UNIT = '/etc/systemd/system/hostauth.service';
/** What `systemctl enable` makes. */
const WANTED = '/etc/systemd/system/multi-user.target.wants/hostauth.service';
const STATE = '/var/lib/hostauth';
/** Named in the PAM file. */
const TALLIES = `${STATE}/faillock`;

const filesOf = ({ programs }: InstallOptions) => [
  { path: PAM_FILE, text: pamFile },
  { path: UNIT, text: systemdUnit(programs) },
];

const KEPT = 'it has been changed by hand; --force puts ours in its place';

/** Puts the PAM file, the systemd unit and the folder of failures in place; a second time, changes nothing. */
export async function install(options: InstallOptions): Promise<InstallReport> {
  const { root, force } = options;
  const lines: string[] = [];
  for (const { path, text } of filesOf(options)) {
    const at = join(root, path);
    const done = await putFile(at, text, { force });
    lines.push(`${done} ${at}${remarkOn(done, at)}`);
  }
  const folder = join(root, TALLIES);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // Whoever could write here could forget that they failed.
  await chmod(folder, 0o700);
  lines.push(`${made === undefined ? 'unchanged' : 'installed'} ${folder}`);
  return { lines, isComplete: !lines.some((line) => line.startsWith('kept ')) };
}

/** Takes all of it away again. */
export async function uninstall(options: InstallOptions): Promise<InstallReport> {
  const { root, force } = options;
  const lines: string[] = [];
  for (const { path } of filesOf(options)) {
    const at = join(root, path);
    const done = await removeFile(at, { force });
    lines.push(`${done} ${at}${remarkOn(done, at)}`);
  }
  const isComplete = !lines.some((line) => line.startsWith('kept '));
  if (isComplete) await rm(join(root, WANTED), { force: true });
  await rm(join(root, STATE), { recursive: true, force: true });
  return { lines: [...lines, `removed ${join(root, STATE)}`], isComplete };
}

function remarkOn(done: string, path: string): string {
  if (done === 'kept') return `: ${KEPT}`;
  return done === 'replaced' ? `: what was there is now ${backupOf(path)}` : '';
}
