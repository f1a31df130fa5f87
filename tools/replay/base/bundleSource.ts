import { dirname, join, parse, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Sources {
  /** The folder to which the paths in errors are relative. */
  readonly root: string;
  readonly entry: string;
  readonly out: string;
  /** Where the bundle runs; `node` by default. */
  readonly platform?: 'node' | 'browser';
  /** The global variable of a classic script that receives the exports. Without it, the bundle is a module. */
  readonly global?: string;
  /** The folder of `#shared/`, when it is not that of the root; the bundle then has no source map. */
  readonly shared?: string;
}

const SHARED = '#shared/';

/**
 * Bundles a source file with all its imports, including packages, into one module.
 * @returns the module's file.
 */
export async function bundleSource(sources: Sources): Promise<string> {
  const { root, entry, out, platform = 'node', global, shared } = sources;
  // Large, and rarely needed.
  const { build } = await import('rolldown');
  const file = join(out, `${parse(entry).name}.${global === undefined ? 'mjs' : 'js'}`);
  await build({
    cwd: root,
    input: entry,
    platform,
    // An import that cannot be resolved is only a warning.
    onLog: (_level, log, handle) => (log.code === 'UNRESOLVED_IMPORT' ? handle('error', log) : undefined),
    plugins: shared !== undefined && {
      name: 'parley:shared',
      resolveId: (id) => (id.startsWith(SHARED) ? join(shared, id.slice(SHARED.length)) : undefined),
    },
    // Without the packages' checks for developers.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: {
      file,
      ...(global === undefined ? { format: 'esm' } : { format: 'iife', name: global, exports: 'named' }),
      sourcemap: shared === undefined && 'inline',
      codeSplitting: false,
    },
  });
  return file;
}

/** Returns the problem in a bundler's error, which is long and colored, with the place in the source, on one line. */
export function bundleProblem(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const problem = /\[[A-Z_]+\] .*/.exec(text)?.[0] ?? text.trim().split('\n')[0];
  const place = /─\[ (.+:\d+:\d+) \]/.exec(text)?.[1];
  return place === undefined ? `${problem}` : `${problem} at ${place}`;
}

/** The folder with the folders of the built programs: `out`, or `dist` in the installed package. This code runs from its source, or is in one of them. */
export const BUILT = import.meta.filename.endsWith('.ts')
  ? resolve(import.meta.dirname, '../../../out')
  : dirname(import.meta.dirname);

/** The checkout of Parley that contains this code. */
export const CHECKOUT = dirname(BUILT);
