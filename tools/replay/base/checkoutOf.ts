import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the folder with package.json that contains this code, as source or bundled. */
export function checkoutOf(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return checkoutOf(dirname(folder));
}
