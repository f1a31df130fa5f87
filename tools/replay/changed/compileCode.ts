import { SourceMap } from 'node:module';
import { relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { type ModuleUnits, findUnits, hashOf } from './moduleUnits.ts';

/** The code that a verification runs, in a form that can be compared with that of another revision. Plain data. */
export interface CodeTable {
  /** The units of the app by their keys: `src/fold.ts#` is the top level of a file, `src/fold.ts#apply/(if)` a unit in it. */
  readonly units: Readonly<Record<string, Unit>>;
  /** The hash of the modules that are not the app's: for Parley, those of this tool. */
  readonly tool: string;
  /** The folders of the packages, relative to the root. */
  readonly packages: readonly string[];
  /** The text of each file of the sources, as a hash. */
  readonly sources: Readonly<Record<string, string>>;
}

/** A unit of a source file. */
export interface Unit {
  readonly hash: string;
  /** The line of the source, from 1. */
  readonly line: number;
}

/** The code in one script of CommonJS, which marks the units that it runs. */
export interface MarkedScript {
  readonly text: string;
  /** The key of each unit, at the number that marks it. */
  readonly keys: readonly string[];
}

/** The name of the array in which a {@link MarkedScript} marks units. */
export const MARKS = '__parleyUnits';

/** What is compiled. */
export interface Sources {
  /** The folder to which the names of files are relative. */
  readonly root: string;
  readonly entry: string;
  /** Whether a file, relative to the root, is one of the app. */
  readonly isApp: (file: string) => boolean;
}

const unitKey = (file: string, id: string): string => `${file}#${id.slice(1)}`;

/** Returns the file and the name of a unit by its key; the name of a top level is empty. */
export function unitOfKey(key: string): { readonly file: string; readonly name: string } {
  const at = key.lastIndexOf('#');
  return { file: key.slice(0, at), name: key.slice(at + 1) };
}

const CODE = /\.[cm]?[jt]sx?$/;
/** A change of this module's procedure gives other hashes. */
const PROCEDURE = 1;

/** Names the procedure that makes a table: tables of the same one can be compared. */
export async function compilerName(): Promise<string> {
  const { VERSION } = await import('rolldown');
  return `${PROCEDURE}-rolldown-${VERSION}`;
}

interface Module {
  readonly file: string;
  readonly units: ModuleUnits;
  /** Returns the line of the source. */
  readonly lineOf: (offset: number) => number;
  /** The modules of which it uses all exports. */
  readonly stars: readonly string[];
  imports: readonly string[];
}

/** What the compilation of an entry collects. */
interface Collected {
  readonly sources: Sources;
  /** The modules of the app by their ids. */
  readonly modules: Map<string, Module>;
  readonly tool: string[];
  readonly packages: Set<string>;
  readonly texts: Record<string, string>;
  readonly keys: string[];
}

/**
 * Compiles an entry with all its imports into a table of its units and, for CommonJS, a script that marks them. The compiled code is without types
 * and comments.
 * @throws the error of the bundler.
 */
export async function compileCode(sources: Sources, format: 'esm' | 'cjs') {
  const { rolldown } = await import('rolldown');
  const tables = {
    modules: new Map<string, Module>(),
    tool: [],
    packages: new Set<string>(),
    texts: {},
    keys: [],
  };
  const collected: Collected = { sources, ...tables };
  const build = await rolldown({
    cwd: sources.root,
    input: sources.entry,
    platform: 'node',
    external: ['rolldown'],
    onLog: (_level, log, handle) => (log.code === 'UNRESOLVED_IMPORT' ? handle('error', log) : undefined),
    optimization: { inlineConst: false },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [await unitsPlugin(collected)],
  });
  try {
    const { output } = await build.generate({ format, codeSplitting: false, minify: false });
    const script: MarkedScript = { text: output[0].code, keys: collected.keys };
    return { table: tableOf(collected), script };
  } finally {
    await build.close();
  }
}

async function unitsPlugin(collected: Collected): Promise<Plugin> {
  const { transformSync } = await import('rolldown/utils');
  const { sources, modules, tool, packages, texts, keys } = collected;
  return {
    name: 'parley:units',
    async transform(text, id) {
      const path = id.replace(/[?#].*$/, '');
      const file = nameIn(sources.root, path);
      const folder = PACKAGE.exec(file)?.[0];
      if (folder !== undefined) packages.add(folder);
      if (folder !== undefined || path.startsWith('\0')) return undefined;
      texts[file] = hashOf([text]);
      const isCode = CODE.test(path);
      const { code, map, errors } = isCode
        ? transformSync(path, text, TRANSFORM)
        : { code: text, errors: [] };
      if (errors[0] !== undefined) throw errors[0];
      if (!sources.isApp(file) || !isCode) {
        tool.push(`${file} ${hashOf([code])}`);
        return undefined;
      }
      const units = findUnits(code);
      const resolved = [...code.matchAll(STARS)].map(async ({ groups }) =>
        this.resolve(groups?.['from'] ?? '', id),
      );
      const stars = (await Promise.all(resolved)).flatMap((one) => one?.id ?? []);
      modules.set(id, { file, units, lineOf: lineFinder(code, map), stars, imports: [] });
      const first = keys.length;
      keys.push(...units.units.map((unit) => unitKey(file, unit.id)));
      return { code: units.instrument((index) => `${MARKS}[${first + index}]=1`), moduleType: 'js' };
    },
    buildEnd() {
      for (const [id, module] of modules) {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        module.imports = [...importedIds, ...dynamicallyImportedIds];
      }
    },
  };
}

const TRANSFORM = { sourcemap: true, tsconfig: true } as const;

/** The folder of a package. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** An import that gives all exports of a module, whatever they are. */
const STARS =
  /(?:\*(?: as [\w$]+)? from |\b(?:import|require)\()\s*(?<quote>["'`])(?<from>[^"'`]+)\k<quote>/g;

/** Names a file relative to a root, with `/`; one outside of it by its whole path, and one of a package the same for each root. */
function nameIn(root: string, path: string): string {
  const name = relative(root, path).replaceAll(sep, '/');
  if (!name.startsWith('../')) return name;
  const at = path.indexOf('node_modules');
  return at === -1 ? path : path.slice(at).replaceAll(sep, '/');
}

function lineFinder(code: string, map: SourceMapInput | undefined): (offset: number) => number {
  if (map === undefined) return () => 1;
  const found = new SourceMap({ ...map, file: '', sourceRoot: '', sourcesContent: [] });
  const lines = [...code.matchAll(/^/gm)].map(({ index }) => index);
  return (offset) => {
    let line = 0;
    while ((lines[line + 1] ?? Infinity) <= offset) line++;
    const entry = found.findEntry(line, offset - (lines[line] ?? 0));
    return 'originalLine' in entry ? entry.originalLine + 1 : 1;
  };
}

type SourceMapInput = Omit<
  ConstructorParameters<typeof SourceMap>[0],
  'file' | 'sourceRoot' | 'sourcesContent'
>;

/** The hash of a file's top level is also about what its imports lead to, and about the names of functions that another module can list. */
function tableOf({ sources, modules, tool, packages, texts }: Collected): CodeTable {
  const listed = new Set([...modules.values()].flatMap(({ stars }) => stars));
  const units: Record<string, Unit> = {};
  for (const [id, { file, units: found, lineOf, imports }] of modules) {
    const exports = listed.has(id) ? found.exports.toSorted() : [];
    const about = [...imports.map((one) => nameIn(sources.root, one)), ...exports];
    found.units.forEach(({ id: unit, start, hash }) => {
      units[unitKey(file, unit)] = {
        hash: unit === '' ? hashOf([hash, ...about]) : hash,
        line: lineOf(start),
      };
    });
  }
  return { units, tool: hashOf(tool.sort()), packages: [...packages].sort(), sources: texts };
}
