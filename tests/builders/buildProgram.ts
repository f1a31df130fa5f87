import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Builds a program of ours, from its entry's path in the repository, into a folder of this process's own. Gives the
 * built file's path; `remove` takes the folder away.
 */
export async function buildProgram(entry: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const name = basename(entry, '.ts');
  // Within the repository, for the packages that it leaves to Node are found from there.
  const folder = join(ROOT, 'out', `test-${name}-${process.pid}`);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      rolldownOptions: {
        input: { [name]: join(ROOT, entry) },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return {
    path: join(folder, `${name}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
