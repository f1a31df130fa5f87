import { basename, join } from 'node:path';

interface Sources {
  /** The folder with the sources' package.json. */
  readonly root: string;
  readonly entry: string;
  readonly out: string;
}

/**
 * Bundles a source file with all its imports, including packages, into one module for Node.
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
    // Without the packages' checks for developers.
    define: { 'process.env.NODE_ENV': '"production"' },
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
