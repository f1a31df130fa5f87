import { basename, join } from 'node:path';

interface Sources {
  /** What the sources belong to: the folder with their package.json. */
  readonly root: string;
  readonly entry: string;
  readonly out: string;
}

/**
 * Bundles a source file with all that it imports, packages too, into one module for Node.
 * @returns the module's file.
 */
export async function bundleSource({ root, entry, out }: Sources): Promise<string> {
  const { build } = await import('vite');
  const file = `${basename(entry, '.ts')}.mjs`;
  await build({
    configFile: false,
    envDir: false,
    root,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: out,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: file } },
    },
  });
  return join(out, file);
}
