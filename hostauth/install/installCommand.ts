import { Command } from 'commander';
import { InstallError, type InstallOptions, type InstallReport, install, uninstall } from './install.ts';
import { programSources } from './programFolder.ts';

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
