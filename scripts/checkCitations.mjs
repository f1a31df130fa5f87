/**
 * Checks that each citation of the specification (`spec §2.1`, `contract §5`) in code, tests and documents resolves, that each
 * section and row has tests, that each section has code, and that docs/conformance.md is up to date.
 *
 *   node scripts/checkCitations.mjs [folder of the project]
 *
 * Prints one line for each fault on stderr. Exit status: 0 no fault, 1 a fault, 2 bad usage or a file that cannot be read.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFORMANCE, conformance } from './conformance/conformance.mjs';
import { runScript } from './supply/runScript.mjs';

runScript(
  'node scripts/checkCitations.mjs [folder of the project]',
  (root = resolve(import.meta.dirname, '..')) => {
    const { markdown, faults } = conformance(root);
    const isUpToDate = readFileSync(join(root, CONFORMANCE), 'utf8') === markdown;
    if (!isUpToDate) faults.push(`${CONFORMANCE} is out of date: run \`npm run conformance\``);
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  },
);
