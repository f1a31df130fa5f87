import { dirname } from 'node:path/posix';

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
