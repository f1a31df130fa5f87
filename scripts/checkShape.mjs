/**
 * Measures the source tree and checks it against its limits: sizes of files and functions, import cycles of files and of
 * folders (type-only imports included), citations of the specification, and the size of each area of the tree.
 *
 *   node scripts/checkShape.mjs [--write] [--raise] [folder of the project]
 *
 * The limits of the areas are the numbers of the table in CONTRIBUTING.md. `--write` writes the numbers that fell;
 * `--raise` writes all. Prints the table on stdout and one line for each fault on stderr. Exit status: 0 no fault, 1 a
 * fault, 2 bad usage or a file that cannot be parsed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolveCitations } from './citations.mjs';
import { measureShape, readModules } from './shape.mjs';
import { runScript } from './runScript.mjs';

/** A parser that silently skips files would report no cycles. */
const LEAST_MODULES = 500;
const FILE_LINES = 400;
const FUNCTION_LINES = 60;

const COLUMNS = ['files', 'lines', 'small'];
const HEAD =
  '| area | product files | product lines | one importer and under 60 lines |\n| --- | --- | --- | --- |\n';
const TABLE = /^\| area \|.*\n(?:\|.*\n)*/mu;

const formatTable = (rows) =>
  HEAD + rows.map(({ name, numbers }) => `| ${[name, ...numbers].join(' | ')} |\n`).join('');

/** Reads the rows of a table: each area's name and its numbers. */
const readTable = (table) =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.slice(1, -1).split('|'))
      .map(([name, ...numbers]) => [name.trim(), numbers.map(Number)]),
  );

/**
 * Compares the areas with the table of CONTRIBUTING.md.
 *
 * @param {ReturnType<typeof measureShape>['areas']} areas
 * @param {{ path: string, write: boolean, raise: boolean }} options
 * @returns {{ table: string, faults: string[] }} `table`: with the numbers of now.
 */
function checkAreas(areas, { path, write, raise }) {
  const text = readFileSync(path, 'utf8');
  const [before] = text.match(TABLE) ?? [];
  if (before === undefined) throw new Error(`${path}: cannot find the table of areas`);
  const limits = readTable(before);
  const limitOf = (name, column) => {
    const limit = limits.get(name)?.[column];
    return raise || !Number.isInteger(limit) ? Infinity : limit;
  };

  const now = Array.from(areas, ([name, area]) => ({ name, numbers: COLUMNS.map((column) => area[column]) }));
  const rose = now.flatMap(({ name, numbers }) =>
    numbers
      .map((number, column) => ({ number, limit: limitOf(name, column), what: COLUMNS[column] }))
      .filter(({ number, limit }) => number > limit)
      .map(
        ({ number, limit, what }) =>
          `${name}: ${number} ${what}, the limit is ${limit}; if it must be, run \`npm run shape -- --raise\` and say why in the commit`,
      ),
  );
  const after = formatTable(
    now.map(({ name, numbers }) => ({
      name,
      numbers: numbers.map((number, column) => Math.min(number, limitOf(name, column))),
    })),
  );
  if (write) writeFileSync(path, text.replace(TABLE, after));
  const isOld = !write && before !== after;
  return {
    table: formatTable(now),
    faults: [...rose, ...(isOld ? ['CONTRIBUTING.md: its table is out of date; run `npm run shape`'] : [])],
  };
}

const over = (items, limit) =>
  items
    .filter(({ lines }) => lines > limit)
    .map(({ name, lines }) => `${name}: ${lines} lines, the limit is ${limit}`);

/**
 * Measures a project and compares it with its limits.
 *
 * @param {string | undefined} root the project's folder
 * @param {{ write?: boolean, raise?: boolean, leastModules?: number }} options
 * @throws {Error} when a file cannot be parsed, or too few files were read
 */
export function checkShape(
  root = resolve(import.meta.dirname, '..'),
  { write = false, raise = false, leastModules = LEAST_MODULES } = {},
) {
  const shape = measureShape(readModules(root));
  if (shape.modules < leastModules) throw new Error(`only ${shape.modules} files were read`);
  const { table, faults } = checkAreas(shape.areas, { path: join(root, 'CONTRIBUTING.md'), write, raise });
  return {
    output: `${table}${shape.tests} files of tests\n`,
    faults: [
      ...faults,
      ...over(shape.files, FILE_LINES),
      ...over(shape.functions, FUNCTION_LINES),
      ...shape.fileCycles.map((files) => `import cycle of files: ${files.join(', ')}`),
      ...shape.folderCycles.map((folders) => `import cycle of folders: ${folders.join(', ')}`),
      ...resolveCitations(root).dangling,
    ],
  };
}

runScript(import.meta, {
  usage: 'node scripts/checkShape.mjs [--write] [--raise] [folder of the project]',
  script: checkShape,
  options: { write: { type: 'boolean' }, raise: { type: 'boolean' } },
});
