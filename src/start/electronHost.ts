import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorLine } from '#shared/formatText.ts';

/** The package `electron`, which only `packaging/` installs. From sources and from built programs the way is the same. */
const PACKAGE = join(import.meta.dirname, '../../packaging/node_modules/electron');

/** How long Electron may take to output its version, in milliseconds. */
const VERSION_MS = 10_000;

/**
 * Returns Electron's executable, or `undefined` when its runtime was never fetched. It reads the package's files, for
 * importing the package starts a download.
 */
export function electronRuntime(): string | undefined {
  const pathFile = join(PACKAGE, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = join(PACKAGE, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : undefined;
}

/**
 * Returns whether Electron starts here. It refuses root, and a kernel where it cannot create its sandbox, before it reads
 * its arguments; otherwise it outputs its version.
 */
export const canStart = (executable: string): boolean =>
  spawnSync(executable, ['--version'], { stdio: 'ignore', timeout: VERSION_MS }).status === 0;

/**
 * Runs the messenger in Electron's window; this process ends with it, with its exit status. Electron has a process group of
 * its own, so that it receives each signal once: a terminal sends Ctrl+C to the whole group, and a second signal ends
 * Electron at once, before it has stored anything.
 */
export function runElectron(executable: string): void {
  const main = join(import.meta.dirname, '../electron/main.js');
  const hasGroups = process.platform !== 'win32';
  const child = spawn(executable, [main], { stdio: 'inherit', detached: hasGroups });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.once('error', (error) => {
    process.stderr.write(
      errorLine(
        `Electron cannot be started (${errorCode(error)}): run \`npx install-electron\` in packaging/ again, or set PARLEY_HOST=web`,
      ),
    );
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}
