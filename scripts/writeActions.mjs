/**
 * Writes docs/actions.md: every action of the program, from the list in src/shared/actions.
 *
 *   node scripts/writeActions.mjs [--check] [folder of the project]
 *
 * With `--check`, writes nothing. Exit status: 0 the page is written or up to date, 1 it is out of date, 2 bad usage or a
 * file that cannot be read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ACTIONS_PAGE } from './actions/actionsPage.mjs';
import { readActionsPage } from './actions/readActionsPage.mjs';

/** @param {{ isCheck: boolean, root: string }} options */
async function writeActions({ isCheck, root }) {
  const path = join(root, ACTIONS_PAGE);
  const page = await readActionsPage(root);
  if (!isCheck) writeFileSync(path, page);
  else if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write(`${ACTIONS_PAGE} is out of date: run \`npm run actions\`\n`);
    process.exitCode = 1;
  }
}

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folder = join(import.meta.dirname, '..')] = positionals;
  await writeActions({ isCheck: values.check, root: resolve(folder) });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
