import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/** A program that was built. */
interface BuiltProgram {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Builds a program from its entry's path in the repository into a folder for this process. Resolves to the path of the
 * built file; `remove` deletes the folder.
 */
export function buildProgram(entry: string): Promise<BuiltProgram> {
  const name = basename(entry, '.ts');
  return buildPrograms(name, { [name]: entry });
}

/**
 * Builds several programs into one folder.
 * @param name the program whose path is returned.
 * @param entries the paths of the entries in the repository, by the names of the built files.
 */
async function buildPrograms(name: string, entries: Readonly<Record<string, string>>): Promise<BuiltProgram> {
  // In the repository, because Node resolves the external packages from there.
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
