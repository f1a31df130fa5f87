/**
 * Measures the source tree and checks it against its limits: sizes of files and functions, import cycles of files and of
 * folders (type-only imports included), and citations of the specification.
 *
 *   node scripts/checkShape.mjs [folder of the project]
 *
 * Prints a Markdown table on stdout and one line for each fault on stderr. Exit status: 0 no fault, 1 a fault, 2 bad usage
 * or a file that cannot be parsed.
 */
import { resolve } from 'node:path';
import { resolveCitations } from './conformance/resolveCitations.mjs';
import { measureShape } from './shape/measureShape.mjs';
import { readModules } from './shape/readModules.mjs';
import { shapeReport } from './shape/shapeReport.mjs';
import { runScript } from './supply/runScript.mjs';

runScript(
  'node scripts/checkShape.mjs [folder of the project]',
  (root = resolve(import.meta.dirname, '..')) => {
    const { table, faults } = shapeReport(measureShape(readModules(root)), resolveCitations(root));
    process.stdout.write(table);
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  },
);
