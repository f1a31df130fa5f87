import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Compiles `pamModule.c` for a test file. @returns the path of the module; its folder is removed afterwards. */
export function buildPamModule(flags: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-pam-module-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'module.so');
  const source = join(import.meta.dirname, 'pamModule.c');
  execFileSync('gcc', [...flags, '-shared', '-fPIC', '-o', path, source, '-lpam']);
  return path;
}
