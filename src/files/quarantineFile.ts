import { existsSync, renameSync } from 'node:fs';

/**
 * Renames a corrupt file to the first free name of `….corrupt-1`, `….corrupt-2`, …; returns the new path.
 * @throws the system's error.
 */
export function quarantineFile(path: string): string {
  let number = 1;
  while (existsSync(`${path}.corrupt-${number}`)) number++;
  const quarantined = `${path}.corrupt-${number}`;
  renameSync(path, quarantined);
  return quarantined;
}
