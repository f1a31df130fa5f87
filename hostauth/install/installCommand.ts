import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import pamFile from '../pam.d/hostauth?raw';
import { type ProgramSources, installPrograms, programSources, systemdFiles } from './programFolder.ts';
import { backupPath, putFile, removeFile } from './stampedFile.ts';

/** What the command needs of its process. */
interface InstallContext {
  readonly isRoot: boolean;
  /** The root of the system, which only root may change. */
  readonly system: string;
  readonly programs: () => InstallOptions['programs'];
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Prints one line on what is wrong, and sets the exit code. */
  readonly fail: (line: string, exitCode: 1 | 2) => void;
}

const processContext: InstallContext = {
  isRoot: process.getuid?.() === 0,
  system: '/',
  programs: programSources,
  print: (line) => void process.stdout.write(`${line}\n`),
  fail(line, exitCode) {
    process.stderr.write(`${line}\n`);
    process.exitCode = exitCode;
  },
};

interface Flags {
  readonly root: string;
  readonly force: boolean;
  readonly remove: boolean;
}

/** Runs `hostauth install`: installs or removes the programs, the PAM file and the units. Exits with 1 when a changed file was kept. */
export const installCommand = (context: InstallContext = processContext): Command =>
  new Command('install')
    .description('Installs the programs in /usr/local/lib/hostauth, the PAM file and the systemd units.')
    .option('--root <folder>', 'the folder to install into', context.system)
    .option('--force', 'replace files that were changed by hand, and keep them as .bak', false)
    .option('--remove', 'remove them', false)
    .allowExcessArguments(false)
    .action((flags: Flags) => run(flags, context));

async function run(
  { root, force, remove }: Flags,
  { isRoot, system, programs, print, fail }: InstallContext,
) {
  if (root === system && !isRoot)
    return fail('only root can install: run `sudo npm run hostauth -- install`', 2);
  let report: InstallReport;
  try {
    report = await (remove ? uninstall : install)({ root, force, programs: programs() });
  } catch (error) {
    if (error instanceof InstallError) return fail(error.message, 1);
    throw error;
  }
  report.lines.forEach(print);
  if (!report.isComplete) return fail('not everything was done: see the lines above', 1);
  if (root === system) print(remove ? NEXT_REMOVED : NEXT);
}

const NEXT =
  'next: systemd-sysusers && systemctl daemon-reload && systemctl enable hostauth && systemctl restart hostauth';
const NEXT_REMOVED =
  'next: systemctl stop hostauth hostauth-helper; systemctl daemon-reload; userdel hostauth';

/** The options of `install` and `uninstall`. */
interface InstallOptions {
  /** The folder to install into: `/`, another system's root, or a test's. */
  readonly root: string;
  /** Whether changed files are replaced, and kept as `.bak`. */
  readonly force: boolean;
  readonly programs: ProgramSources;
}

/** The result: one line for each file or folder, and whether all of them were installed or removed. */
interface InstallReport {
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

/** The program folder cannot be trusted. `message` says why and what to do. */
class InstallError extends Error {
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
async function install({ root, force, programs }: InstallOptions): Promise<InstallReport> {
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
async function uninstall({ root, force }: InstallOptions): Promise<InstallReport> {
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
