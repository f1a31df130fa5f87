import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { globSync } from 'tinyglobby';
import { parseSync } from 'vite';

/** Returns whether a file is a test or is used by tests only. These may import from any folder, so they are not in the folder graph. */
const isTest = (path) => /\.test\.tsx?$|^tests\/|\/testing\//.test(path);

/** The areas of the tree, in their order in the table. A file belongs to the first one that has its path. */
const AREAS = {
  'src/ui': /^src\/ui\//,
  'src/main': /^src\/main\//,
  'src/shared': /^src\/shared\//,
  'src/renderer': /^src\/renderer\//,
  'the rest of src': /^src\//,
  'the inspector': /^tools\/replay\/inspector\//,
  'the rest of tools/replay': /^tools\/replay\//,
  'the built-in platform': /^platform\//,
  hostauth: /^hostauth\//,
  sim: /^sim\//,
  'bench, soak, scripts and the rest': /^/,
};

/** A file with one importer and fewer lines is counted: it may stand beside its user. */
const SMALL_LINES = 60;

/**
 * Measures the source tree. Test files count as modules and for the cycles of files only.
 *
 * @param {ReturnType<typeof import('./readModules.mjs').readModules>} modules
 * @returns `areas`: by name. `small`: the files of code with one importer and fewer than 60 lines.
 */
export function measureShape(modules) {
  const all = [...modules];
  const product = all.filter(([path]) => !isTest(path));
  return {
    modules: all.length,
    tests: all.length - product.length,
    areas: measureAreas(product),
    files: product.map(([path, { lines }]) => ({ name: path, lines })),
    functions: product.flatMap(([path, module]) =>
      module.functions.map(({ line, lines }) => ({ name: `${path}:${line}`, lines })),
    ),
    fileCycles: findCycles(new Map(all.map(([path, { imports }]) => [path, imports]))),
    folderCycles: findCycles(folderGraph(product)),
  };
}

/** @returns {Map<string, { files: number, lines: number, small: number }>} */
function measureAreas(modules) {
  const importers = new Map();
  for (const [, { imports }] of modules)
    for (const target of imports) importers.set(target, (importers.get(target) ?? 0) + 1);

  const areas = new Map(Object.keys(AREAS).map((name) => [name, { files: 0, lines: 0, small: 0 }]));
  for (const [path, { lines }] of modules) {
    const area = areas.get(Object.keys(AREAS).find((name) => AREAS[name].test(path)));
    area.files++;
    area.lines += lines;
    if (importers.get(path) === 1 && lines < SMALL_LINES && !path.endsWith('.css')) area.small++;
  }
  return areas;
}

/** Maps each folder to the folders that its own files import from. A folder and its parent are two folders. */
function folderGraph(modules) {
  const graph = new Map(modules.map(([path]) => [dirname(path), new Set()]));
  for (const [path, { imports }] of modules) {
    const targets = imports.filter((target) => !isTest(target)).map((target) => dirname(target));
    for (const folder of targets) if (folder !== dirname(path)) graph.get(dirname(path)).add(folder);
  }
  return graph;
}

/**
 * Finds the cycles of a directed graph: its strongly connected components of more than one node (Tarjan's algorithm).
 *
 * @param {ReadonlyMap<string, Iterable<string>>} graph each node with the nodes that it points to
 * @returns {string[][]} each cycle's nodes, sorted
 */
function findCycles(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const isOnStack = new Set();
  const cycles = [];

  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    isOnStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (isOnStack.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const member of component) isOnStack.delete(member);
    if (component.length > 1) cycles.push(component.toSorted((a, b) => (a < b ? -1 : 1)));
  };

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

/** Where source files are; generated and installed ones are not among them. */
const SOURCES = [
  '{src,tools,platform,hostauth,sim,bench,soak,tests,scripts,packaging,examples,bin}/**/*.{ts,tsx,mjs,css}',
  '*.config.ts',
];

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The node types that name a module in `source`. */
const IMPORTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/**
 * Reads and parses all source files of the project.
 *
 * @param {string} root the project's folder
 * @returns {Map<string, { lines: number, functions: object[], imports: string[] }>} by path. `imports`: the paths of the
 *   project's own files that the file imports, without built ones (`out/`), which a clean clone has not.
 * @throws {Error} when a file is not valid or an import of our own finds no file
 */
export function readModules(root) {
  const paths = globSync(SOURCES, {
    cwd: root,
    // The apps in `fixtures` are installed and compiled by their tests.
    ignore: ['**/node_modules/**', '**/{out,dist}/**', 'tools/replay/package/fixtures/**'],
  });
  const aliases = Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports ?? {});
  const resolve = (specifier, from) => {
    const path = ownPath(specifier, from, aliases);
    if (path === undefined || path.startsWith('out/')) return [];
    const isFile = existsSync(join(root, path)) && statSync(join(root, path)).isFile();
    if (!isFile) throw new Error(`${from}: cannot find ${specifier}`);
    return [path];
  };
  return new Map(
    paths.toSorted().map((path) => {
      const parsed = parseSourceFile(path, readFileSync(join(root, path), 'utf8'));
      const imports = parsed.imports.flatMap((specifier) => resolve(specifier, path));
      return [path, { ...parsed, imports: [...new Set(imports)] }];
    }),
  );
}

/** Resolves a specifier to a path relative to the project; `undefined` for packages. */
function ownPath(specifier, from, aliases) {
  const [bare] = specifier.split('?');
  if (bare.startsWith('.')) return join(dirname(from), bare);
  for (const [pattern, target] of aliases) {
    const prefix = pattern.replace('*', '');
    if (bare.startsWith(prefix)) return join(target.replace('*', bare.slice(prefix.length)));
  }
  return undefined;
}

/**
 * Parses a source file. Blank lines, and lines with nothing but a comment, do not count as lines.
 *
 * @param {string} path relative to the project; its extension selects the language
 * @param {string} text
 * @returns {{ lines: number, imports: string[], functions: { line: number, lines: number }[] }} `imports`: the specifiers
 *   of all imports and re-exports, type-only ones included; none for CSS. `functions`: the line at which each one starts, and
 *   its length.
 * @throws {Error} when the text is not valid
 */
function parseSourceFile(path, text) {
  if (path.endsWith('.css'))
    return { lines: countLines(text.replaceAll(/\/\*[^]*?\*\//g, blank)), imports: [], functions: [] };
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const code = withoutComments(text, comments);
  const imports = [];
  const functions = [];
  for (const node of nodesOf(program)) {
    const specifier = IMPORTS.has(node.type) ? node.source?.value : undefined;
    if (typeof specifier === 'string') imports.push(specifier);
    if (FUNCTIONS.has(node.type))
      functions.push({
        line: text.slice(0, node.start).split('\n').length,
        lines: countLines(code.slice(node.start, node.end)),
      });
  }
  return { lines: countLines(code), imports, functions };
}

/** Yields a syntax tree's nodes, parents first. */
function* nodesOf(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const blank = (comment) => comment.replaceAll(/\S/g, ' ');

/** Replaces comments by spaces, so that offsets stay. */
const withoutComments = (text, comments) =>
  comments.reduce(
    (code, { start, end }) => code.slice(0, start) + blank(code.slice(start, end)) + code.slice(end),
    text,
  );

const countLines = (code) => code.split('\n').filter((line) => line.trim() !== '').length;
