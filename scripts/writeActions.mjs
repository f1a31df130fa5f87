/**
 * Writes docs/actions.md: every action of the program, from the list in src/shared/actions.
 *
 *   node scripts/writeActions.mjs [--check]
 *
 * With `--check`, writes nothing. Exit status: 0 the page is written or up to date, 1 it is out of date, 2 bad usage.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ACTIONS_PAGE } from './actions/actionsPage.mjs';
import { readActionsPage } from './actions/readActionsPage.mjs';

const root = resolve(import.meta.dirname, '..');
const path = join(root, ACTIONS_PAGE);
const [option, ...others] = process.argv.slice(2);
if (others.length > 0 || (option !== undefined && option !== '--check')) {
  process.stderr.write('usage: node scripts/writeActions.mjs [--check]\n');
  process.exitCode = 2;
} else {
  const page = await readActionsPage(root);
  if (option === undefined) writeFileSync(path, page);
  else if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write(`${ACTIONS_PAGE} is out of date: run \`npm run actions\`\n`);
    process.exitCode = 1;
  }
}
