import { dirname } from 'node:path/posix';
import { findCycles } from './findCycles.mjs';

/** Returns whether a file is a test or is used by tests only. These may import from any folder, so they are not in the folder graph. */
const isTest = (path) => /\.test\.tsx?$|^tests\/|\/testing\//.test(path);

/**
 * Measures the source tree. Test files count as modules and for the cycles of files only.
 *
 * @param {ReturnType<typeof import('./readModules.mjs').readModules>} modules
 */
export function measureShape(modules) {
  const all = [...modules];
  const product = all.filter(([path]) => !isTest(path));
  return {
    modules: all.length,
    files: product.map(([path, { lines }]) => ({ name: path, lines })),
    functions: product.flatMap(([path, module]) =>
      module.functions.map(({ line, lines }) => ({ name: `${path}:${line}`, lines })),
    ),
    fileCycles: findCycles(new Map(all.map(([path, { imports }]) => [path, imports]))),
    folderCycles: findCycles(folderGraph(product)),
    singleImporterFiles: singleImporterFiles(product),
  };
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

function singleImporterFiles(modules) {
  const importers = new Map();
  for (const [, { imports }] of modules)
    for (const target of imports) importers.set(target, (importers.get(target) ?? 0) + 1);
  return modules.map(([path]) => path).filter((path) => importers.get(path) === 1);
}
