/**
 * Writes docs/conformance.md: which tests check each section of the specification, from the citations in their titles.
 *
 *   node scripts/writeConformance.mjs [folder of the project]
 *
 * Exit status: 0, or 2 for bad usage or a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFORMANCE, conformance } from './conformance/conformance.mjs';
import { runScript } from './supply/runScript.mjs';

runScript(
  'node scripts/writeConformance.mjs [folder of the project]',
  (root = resolve(import.meta.dirname, '..')) => {
    writeFileSync(join(root, CONFORMANCE), conformance(root).markdown);
    return 0;
  },
);
