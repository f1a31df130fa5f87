import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Creates an empty folder for one test; removes it after the test. */
export function folderFor({ onTestFinished }: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
