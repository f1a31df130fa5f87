import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Programs must also run on the newest releases of these lines; the other tests use the oldest version (`engines`). */
export const NODE_LINES = ['22', '24'];

/** The folder of the installed versions. Later runs use it again; `npm ci` removes it. */
const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/parley-node');

/** The longest time of an installation, in milliseconds. */
const TIMEOUT_MS = 240_000;

/** Installs the newest release of a line, or without a network uses an installed one. Returns its path. @throws when there is none. */
export function installNode(line: string): string {
  const folder = join(CACHE, line);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  const flags = '--no-save --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1';
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', folder, ...flags.split(' '), `${name}@${line}`],
    { encoding: 'utf8', timeout: TIMEOUT_MS },
  );
  if (status !== 0) {
    const errors = `${stdout}\n${stderr}`.split('\n').filter((one) => one.startsWith('npm error'));
    const said = errors.slice(0, 4).join('\n');
    throw new Error(
      `Node ${line} could not be installed, so nothing was tested with it. Check that the npm registry can be reached. npm said:\n${said}`,
    );
  }
  return join(folder, 'node_modules', name, 'bin', 'node');
}
