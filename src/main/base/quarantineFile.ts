import { existsSync, renameSync } from 'node:fs';

/** Gives a corrupt file the first of the names `….corrupt-1`, `….corrupt-2`, … that is not taken; gives that name. */
export function quarantineFile(path: string): string {
  let n = 1;
  while (existsSync(`${path}.corrupt-${n}`)) n++;
  const kept = `${path}.corrupt-${n}`;
  renameSync(path, kept);
  return kept;
}
