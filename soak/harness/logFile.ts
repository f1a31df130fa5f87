import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the sizes of the log files in a data folder by name, in MB. */
export function logSizes(dataDir: string): Readonly<Record<string, number>> {
  const folder = join(dataDir, 'logs');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size / 1e6]));
}
