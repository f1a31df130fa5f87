import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder for the test; removes it when the test ends. */
export function mainFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
