import { Command } from 'commander';
import { InstallError, type InstallOptions, type InstallReport, install, uninstall } from './install.ts';
import { programSources } from './programSources.ts';

/** What the command asks of the process that it runs in. */
export interface InstallContext {
  readonly isRoot: boolean;
  /** The system that only root may change. */
  readonly system: string;
  readonly programs: () => InstallOptions['programs'];
  /** A line for whoever runs it. */
  readonly say: (line: string) => void;
  /** A line on what is wrong, and the exit code. */
  readonly fail: (line: string, exitCode: 1 | 2) => void;
}

const processContext: InstallContext = {
  isRoot: process.getuid?.() === 0,
  system: '/',
  programs: programSources,
  say: (line) => void process.stdout.write(`${line}\n`),
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

/** `hostauth install`: puts the programs, the PAM file and the units in place, or removes them. Exits 1 if a changed file was kept. */
export const installCommand = (context: InstallContext = processContext): Command =>
  new Command('install')
    .description(
      'Copies the programs to /usr/local/lib/hostauth, puts the PAM file and the systemd units in place.',
    )
    .option('--root <folder>', 'what stands for /, for packages', context.system)
    .option('--force', 'replace files that were changed by hand, and keep those as .bak', false)
    .option('--remove', 'take them away again', false)
    .allowExcessArguments(false)
    .action((flags: Flags) => run(flags, context));

async function run({ root, force, remove }: Flags, { isRoot, system, programs, say, fail }: InstallContext) {
  if (root === system && !isRoot)
    return fail('only root can install: run `sudo npm run hostauth -- install`', 2);
  let report: InstallReport;
  try {
    report = await (remove ? uninstall : install)({ root, force, programs: programs() });
  } catch (error) {
    if (error instanceof InstallError) return fail(error.message, 1);
    throw error;
  }
  report.lines.forEach(say);
  if (!report.isComplete) return fail('not all of it was done, see above', 1);
  if (root === system) say(remove ? NEXT_REMOVED : NEXT);
}

const NEXT =
  'next: systemd-sysusers && systemctl daemon-reload && systemctl enable hostauth && systemctl restart hostauth';
const NEXT_REMOVED =
  'next: systemctl stop hostauth hostauth-helper; systemctl daemon-reload; userdel hostauth';
