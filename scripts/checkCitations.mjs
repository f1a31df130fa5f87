/**
 * Checks that each citation of the specification (`spec §2.1`, `contract §5`) in code, tests and documents resolves, that each
 * section and row has tests, and that each section has code.
 *
 *   node scripts/checkCitations.mjs [folder of the project]            one line on stderr for each fault
 *   node scripts/checkCitations.mjs --write [folder of the project]    also writes docs/conformance.md: which tests check each row
 *
 * Exit status: 0 no fault, 1 a fault, 2 bad usage or a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFORMANCE, conformance } from './conformance/conformance.mjs';
import { runScript } from './runScript.mjs';

runScript(
  'node scripts/checkCitations.mjs [--write] [folder of the project]',
  (root = resolve(import.meta.dirname, '..'), { write }) => {
    const { markdown, faults } = conformance(root);
    if (write) {
      writeFileSync(join(root, CONFORMANCE), markdown);
      process.stdout.write(`Written: ${CONFORMANCE}\n`);
    }
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  },
  { write: { type: 'boolean' } },
);
