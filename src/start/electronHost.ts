import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package `electron`, which only `packaging/` installs. From sources and from built programs the way is the same. */
const PACKAGE = join(import.meta.dirname, '../../packaging/node_modules/electron');

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

/** Runs the messenger in Electron's window; this process ends with it, with its exit status. */
export function runElectron(): void {
  const main = join(import.meta.dirname, '../electron/main.js');
  const child = spawn(electronRuntime() ?? 'electron', [main], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
