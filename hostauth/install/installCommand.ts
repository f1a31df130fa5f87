import { join } from 'node:path';
import { Command } from 'commander';
import { type InstallOptions, install, uninstall } from './install.ts';

/** What the command asks of the process that it runs in. */
export interface InstallContext {
  readonly isRoot: boolean;
  /** The system that only root may change. */
  readonly system: string;
  readonly programs: InstallOptions['programs'];
  /** A line for whoever runs it. */
  readonly say: (line: string) => void;
  /** A line on what is wrong, and the exit code. */
  readonly fail: (line: string, exitCode: 1 | 2) => void;
}

const processContext: InstallContext = {
  isRoot: process.getuid?.() === 0,
  system: '/',
  programs: { node: process.execPath, service: join(import.meta.dirname, 'hostauth.js') },
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

/** `hostauth install`: the PAM file and the systemd unit, in place or away again. Exits 1 if a changed file was kept. */
export const installCommand = (context: InstallContext = processContext): Command =>
  new Command('install')
    .description('Puts the PAM file and the systemd unit of hostauth in place, and says what it did.')
    .option('--root <folder>', 'what stands for /, for packages', context.system)
    .option('--force', 'replace files that were changed by hand, and keep those as .bak', false)
    .option('--remove', 'take them away again', false)
    .allowExcessArguments(false)
    .action((flags: Flags) => run(flags, context));

async function run({ root, force, remove }: Flags, { isRoot, system, programs, say, fail }: InstallContext) {
  if (root === system && !isRoot)
    return fail('only root can install: run `sudo npm run hostauth -- install`', 2);
  const report = await (remove ? uninstall : install)({ root, force, programs });
  report.lines.forEach(say);
  if (!report.isComplete) return fail('not all of it was done, see above', 1);
  if (root === system) say(remove ? 'next: systemctl stop hostauth; systemctl daemon-reload' : NEXT);
}

const NEXT = 'next: systemctl daemon-reload && systemctl enable --now hostauth';
