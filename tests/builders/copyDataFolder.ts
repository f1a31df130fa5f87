import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** Copies the data folder of an earlier version to `to`, with the modes that Git does not store: 0700 and 0600. */
export function copyDataFolder(version: string, to: string): void {
  cpSync(join(FIXTURES, `data-${version}`), to, { recursive: true });
  chmodSync(to, 0o700);
  for (const name of readdirSync(to, { encoding: 'utf8', recursive: true })) {
    const path = join(to, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
  }
}
