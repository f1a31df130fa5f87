/**
 * Prints the software bill of materials (CycloneDX 1.5, JSON) of the lock file on stdout. Needs no network.
 *
 *   node scripts/sbom.mjs [folder of the project]
 */
import { resolve } from 'node:path';
import { createSbom } from './supply/createSbom.mjs';
import { runScript } from './supply/runScript.mjs';

runScript('node scripts/sbom.mjs [folder of the project]', (root = resolve(import.meta.dirname, '..')) => {
  process.stdout.write(`${JSON.stringify(createSbom(root), null, 2)}\n`);
  return 0;
});
