import { statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { findUnits, hashOf } from './moduleUnits.ts';

/** The code that a verification runs, in a form that can be compared with that of another revision. */
export interface CompiledCode {
  /** The units of the app by their keys: `src/fold.ts#` is the top level of a file, `src/fold.ts#apply/(if)` a unit in it. */
  readonly units: ReadonlyMap<string, Unit>;
  /** The hash of all other modules: those of packages and, for Parley, of this tool. */
  readonly others: string;
  /** When a module was changed last, milliseconds since 1970. */
  readonly changedAt: number;
  /** One script, which marks the units that it runs in the array `MARKS`: at the place of the unit in the map. */
  readonly text: string;
}

/** A unit of a source file. The line is that of the source, from 1. */
type Unit = Readonly<{ hash: string; line: number }>;

/** The name of the array in which a script marks units. */
export const MARKS = '__parleyUnits';

/** What is compiled. */
export interface Sources {
  /** The folder to which the names of files are relative. */
  readonly root: string;
  readonly entry: string;
  /** Whether a file, relative to the root, is one of the app; by default, each one is, except those of packages. */
  readonly isApp?: ((file: string) => boolean) | undefined;
}

/**
 * Compiles an entry with all its imports. The compiled code is without types and comments.
 * @throws the error of the bundler.
 */
export async function compileCode(sources: Sources, format: 'esm' | 'cjs'): Promise<CompiledCode> {
  const { rolldown } = await import('rolldown');
  const collected = createCollected();
  const build = await rolldown({
    cwd: sources.root,
    input: sources.entry,
    platform: 'node',
    external: ['rolldown'],
    onLog: (_level, log, handle) => (log.code === 'UNRESOLVED_IMPORT' ? handle('error', log) : undefined),
    optimization: { inlineConst: false },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [await unitsPlugin(sources, collected)],
  });
  try {
    const { output } = await build.generate({ format, codeSplitting: false, minify: false });
    const { units, others, changedAt } = collected;
    return { units, others: hashOf(others.sort()), changedAt, text: output[0].code };
  } finally {
    await build.close();
  }
}

const createCollected = () => ({ units: new Map<string, Unit>(), others: [] as string[], changedAt: 0 });

type Collected = ReturnType<typeof createCollected>;

/** Creates a plugin that collects the units of an app and marks them, and the hashes of the other modules. */
async function unitsPlugin({ root, isApp = () => true }: Sources, collected: Collected): Promise<Plugin> {
  const { transformSync } = await import('rolldown/utils');
  const { units, others } = collected;
  /** The keys of the top levels by the ids of their modules. */
  const tops = new Map<string, string>();
  return {
    name: 'parley:units',
    transform(text, id) {
      const path = id.replace(/[?#].*$/, '');
      if (path.startsWith('\0')) return undefined;
      const file = nameIn(root, id);
      const isPackage = file.startsWith('node_modules');
      if (!isPackage) collected.changedAt = Math.max(collected.changedAt, statSync(path).mtimeMs);
      const isCode = !isPackage && /\.[cm]?[jt]sx?$/.test(path);
      const { code, map, errors } = isCode
        ? transformSync(path, text, { sourcemap: true, tsconfig: true })
        : { code: text, map: undefined, errors: [] };
      if (errors[0] !== undefined) throw errors[0];
      if (!isCode || !isApp(file)) {
        others.push(`${file} ${hashOf([code])}`);
        return undefined;
      }
      const found = findUnits(code);
      const first = units.size;
      tops.set(id, `${file}#`);
      const lineOf = lineFinder(code, map);
      for (const { id: unit, start, hash } of found.units)
        units.set(`${file}#${unit.slice(1)}`, { hash, line: lineOf(start) });
      return { code: found.instrument((index) => `${MARKS}[${first + index}]=1`), moduleType: 'js' };
    },
    // The top level is also about what its imports lead to.
    buildEnd() {
      for (const [id, key] of tops) {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        const { hash = '', line = 1 } = units.get(key) ?? {};
        const imports = [...importedIds, ...dynamicallyImportedIds].map((one) => nameIn(root, one));
        units.set(key, { hash: hashOf([hash, ...imports]), line });
      }
    },
  };
}

/** Names a file relative to a root, with `/`; one of a package the same for each root. */
function nameIn(root: string, path: string): string {
  const at = path.indexOf('node_modules');
  return (at === -1 ? relative(root, path) : path.slice(at)).replaceAll(sep, '/');
}

function lineFinder(code: string, map: object | undefined): (offset: number) => number {
  // The types of the bundler's map and of Node's differ in fields that are not read.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const found = new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]);
  return (offset) => {
    const before = code.slice(0, offset).split('\n');
    const entry = found.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    return 'originalLine' in entry ? entry.originalLine + 1 : 1;
  };
}
