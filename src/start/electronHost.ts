import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Electron's executable, or `undefined` when its runtime was never fetched. The package itself is not asked: it
 * would start a download.
 */
export function electronRuntime(): string | undefined {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : undefined;
}

/** Runs the messenger in Electron's window; this process ends with it, with its exit status. */
export function runElectron(): void {
  const main = join(import.meta.dirname, '../electron/main.js');
  const child = spawn(electronRuntime() ?? 'electron', [main], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
