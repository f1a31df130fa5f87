import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/** A program that was built. */
export interface BuiltProgram {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Builds a program of ours, from its entry's path in the repository, into a folder of this process's own. Gives the
 * built file's path; `remove` takes the folder away.
 */
export function buildProgram(entry: string): Promise<BuiltProgram> {
  const name = basename(entry, '.ts');
  return buildPrograms(name, { [name]: entry });
}

/**
 * Builds programs that are started beside each other: built files' names, and entries' paths in the repository.
 * @param name of the one whose path is given.
 */
export async function buildPrograms(
  name: string,
  entries: Readonly<Record<string, string>>,
): Promise<BuiltProgram> {
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
        input: Object.fromEntries(
          Object.entries(entries).map(([built, entry]) => [built, join(ROOT, entry)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  return {
    path: join(folder, `${name}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
