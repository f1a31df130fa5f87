import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

/**
 * Writes a page of a project, or checks it.
 *
 * @param {{ root: string, path: string, page: string, isCheck: boolean, command: string }} options `root`: the folder of the
 * project; `path`: the page's path in it; `command`: what writes the page
 * @returns {string[]} one line when the page is checked and out of date
 */
export function writePage({ root, path, page, isCheck, command }) {
  const file = join(root, path);
  if (!isCheck) writeFileSync(file, page);
  else if (readFileSync(file, 'utf8') !== page) return [`${path} is out of date: run \`${command}\``];
  return [];
}

/**
 * Runs a script that writes a page from modules of the program, if it is the program of this process: tests import scripts. With `--check`,
 * it writes nothing. Exit status: 0 the page is written or up to date, 1 it is out of date, 2 bad usage or a file that cannot be read.
 *
 * @param {ImportMeta} meta the script's `import.meta`
 * @param {(root: string, isCheck: boolean, load: (path: string) => Promise<any>) => Promise<string[]>} write
 */
export async function runPageScript(meta, write) {
  if (process.argv[1] !== meta.filename) return;
  try {
    const options = { check: { type: /** @type {const} */ ('boolean'), default: false } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const root = resolve(positionals[0] ?? join(import.meta.dirname, '..'));
    const load = async (path) =>
      (await runnerImport(join(root, path), { configFile: false, root, logLevel: 'error' })).module;
    const faults = await write(root, values.check, load);
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    process.exitCode = faults.length;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
