const LIMITS = {
  /** A parser that silently skips files would report no cycles. */
  leastModules: 500,
  medianFileLines: 60,
  fileLines: 250,
  medianFunctionLines: 6,
  functionLines: 50,
  folderFiles: 20,
};

/**
 * Compares a tree's measures and its citations with the limits.
 *
 * @param {ReturnType<typeof import('./measureShape.mjs').measureShape>} shape
 * @param {ReturnType<typeof import('../conformance/resolveCitations.mjs').resolveCitations>} citations
 * @returns {{ table: string, faults: string[] }} `table`: Markdown. `faults`: one line each, empty when all limits hold.
 */
export function shapeReport(shape, { count, dangling }) {
  const medianFile = median(shape.files.map(({ lines }) => lines));
  const medianFunction = median(shape.functions.map(({ lines }) => lines));
  const rows = [
    ['files, tests included', shape.modules, `at least ${LIMITS.leastModules}`],
    ['product files', shape.files.length, ''],
    ['lines of a file, median', medianFile, LIMITS.medianFileLines],
    ['lines of a file, longest', largest(shape.files, 'lines'), LIMITS.fileLines],
    ['functions', shape.functions.length, ''],
    ['lines of a function, median', medianFunction, LIMITS.medianFunctionLines],
    ['lines of a function, longest', largest(shape.functions, 'lines'), LIMITS.functionLines],
    ['files of a folder, most', largest(shape.folders, 'files'), LIMITS.folderFiles],
    ['files with one importer', shape.singleImporterFiles.length, ''],
    ['import cycles of files', shape.fileCycles.length, 0],
    ['import cycles of folders', shape.folderCycles.length, 0],
    ['citations of the specification', count, ''],
    ['dangling citations', dangling.length, 0],
  ];
  const faults = [
    ...(shape.modules < LIMITS.leastModules ? [`only ${shape.modules} files were read`] : []),
    ...(medianFile > LIMITS.medianFileLines ? [`the median file has ${medianFile} lines`] : []),
    ...(medianFunction > LIMITS.medianFunctionLines
      ? [`the median function has ${medianFunction} lines`]
      : []),
    ...over(shape.files, 'lines', LIMITS.fileLines),
    ...over(shape.functions, 'lines', LIMITS.functionLines),
    ...over(shape.folders, 'files', LIMITS.folderFiles),
    ...shape.fileCycles.map((files) => `import cycle of files: ${files.join(', ')}`),
    ...shape.folderCycles.map((folders) => `import cycle of folders: ${folders.join(', ')}`),
    ...dangling,
  ];
  return { table: markdownTable([['measure', 'now', 'limit'], ['---', '---', '---'], ...rows]), faults };
}

const largest = (items, measure) => Math.max(0, ...items.map((item) => item[measure]));

const over = (items, measure, limit) =>
  items
    .filter((item) => item[measure] > limit)
    .map((item) => `${item.name}: ${item[measure]} ${measure}, the limit is ${limit}`);

const markdownTable = (rows) => rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

/** Returns the middle number, the lower one of two. */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;
