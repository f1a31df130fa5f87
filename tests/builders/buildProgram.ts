import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/** Builds a program from its entry's path into a folder for this process. Resolves to the file's path; `remove` deletes the folder. */
export async function buildProgram(entry: string) {
  const name = basename(entry, '.ts');
  // In the repository, because Node resolves the external packages from there.
  const folder = join(ROOT, 'out', `test-${name}-${process.pid}`);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: { ssr: join(ROOT, entry), target: 'node20', outDir: folder },
  });
  return {
    path: join(folder, `${name}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
