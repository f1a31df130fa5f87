import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a small file so that, whenever the process or the machine stops, it holds the old text or the new.
 * The mode is 0600. A temporary file that an earlier stop left behind is overwritten.
 */
export function writeFileAtomically(path: string, text: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
