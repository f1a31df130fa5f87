import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { checkBinding } from '../helper/pam/pamBinding.ts';
import { PackageError, buildPackage, debianArchitecture } from './buildPackage.ts';
import { programSources } from './programFolder.ts';

/** Runs `hostauth package`: builds a Debian package of the running programs. */
export const packageCommand = (): Command =>
  new Command('package')
    .description('Builds a Debian package of hostauth, with Node and the PAM binding, and prints its path.')
    .option('--output <folder>', 'the folder of the package', 'dist')
    .allowExcessArguments(false)
    .action(run);

async function run({ output }: { output: string }): Promise<void> {
  try {
    const path = await buildPackage({ ...describeBuild(), output: resolve(output) });
    process.stdout.write(`${path}\n`);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function describeBuild() {
  const architecture = process.platform === 'linux' ? debianArchitecture(process.arch) : undefined;
  if (architecture === undefined) {
    throw new PackageError(
      `Debian has no architecture for ${process.platform} on ${process.arch}: use another machine`,
    );
  }
  const fault = checkBinding();
  if (fault !== undefined) throw new PackageError(fault);
  const programs = programSources();
  const project = resolve(programs.binding, '../..');
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return { programs, project, version, architecture, epoch: sourceEpoch(project) };
}

/** Returns `SOURCE_DATE_EPOCH`, the time of the last commit or, without git, 2026-01-01. */
function sourceEpoch(project: string): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given) {
    if (/^\d{1,10}$/.test(given)) return Number(given);
    throw new PackageError(`SOURCE_DATE_EPOCH takes seconds since 1970, not ${JSON.stringify(given)}`);
  }
  try {
    const args = ['-C', project, 'log', '-1', '--format=%ct'];
    return Number(execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return Date.UTC(2026, 0, 1) / 1000;
  }
}
