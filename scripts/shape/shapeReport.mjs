const LIMITS = {
  /** A parser that silently skips files would report no cycles. */
  leastModules: 500,
  fileLines: 400,
  functionLines: 60,
};

/**
 * Compares a tree's measures and its citations with the limits.
 *
 * @param {ReturnType<typeof import('./measureShape.mjs').measureShape>} shape
 * @param {ReturnType<typeof import('../conformance/resolveCitations.mjs').resolveCitations>} citations
 * @returns {{ table: string, faults: string[] }} `table`: Markdown. `faults`: one line each, empty when all limits hold.
 */
export function shapeReport(shape, { count, dangling }) {
  const rows = [
    ['files, tests included', shape.modules, `at least ${LIMITS.leastModules}`],
    ['product files', shape.files.length, ''],
    ['lines of a file, longest', longest(shape.files), LIMITS.fileLines],
    ['functions', shape.functions.length, ''],
    ['lines of a function, longest', longest(shape.functions), LIMITS.functionLines],
    ['files with one importer', shape.singleImporterFiles.length, ''],
    ['import cycles of files', shape.fileCycles.length, 0],
    ['import cycles of folders', shape.folderCycles.length, 0],
    ['citations of the specification', count, ''],
    ['dangling citations', dangling.length, 0],
  ];
  const faults = [
    ...(shape.modules < LIMITS.leastModules ? [`only ${shape.modules} files were read`] : []),
    ...over(shape.files, LIMITS.fileLines),
    ...over(shape.functions, LIMITS.functionLines),
    ...shape.fileCycles.map((files) => `import cycle of files: ${files.join(', ')}`),
    ...shape.folderCycles.map((folders) => `import cycle of folders: ${folders.join(', ')}`),
    ...dangling,
  ];
  return { table: markdownTable([['measure', 'now', 'limit'], ['---', '---', '---'], ...rows]), faults };
}

const longest = (items) => Math.max(0, ...items.map(({ lines }) => lines));

const over = (items, limit) =>
  items
    .filter(({ lines }) => lines > limit)
    .map(({ name, lines }) => `${name}: ${lines} lines, the limit is ${limit}`);

const markdownTable = (rows) => rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
