/**
 * Checks our dependencies offline: their licenses, their install scripts, and that the installed packages equal the lock file.
 *
 *   node scripts/checkSupply.mjs [folder of the project]
 *
 * Prints one line for each fault on stderr. Exit status: 0 no fault, 1 a fault, 2 bad usage or packages that cannot be read.
 */
import { resolve } from 'node:path';
import { installScriptFaults } from './supply/installScriptFaults.mjs';
import { installedTreeFaults } from './supply/installedTreeFaults.mjs';
import { licenseFaults } from './supply/licenseFaults.mjs';
import { readPackages } from './supply/readPackages.mjs';
import { runScript } from './supply/runScript.mjs';

runScript(
  'node scripts/checkSupply.mjs [folder of the project]',
  (root = resolve(import.meta.dirname, '..')) => {
    const packages = readPackages(root);
    const faults = [
      ...installedTreeFaults(packages),
      ...installScriptFaults(packages),
      ...licenseFaults(packages),
    ];
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  },
);
