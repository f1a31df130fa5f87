import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Reads the lock file and the installed packages of a project.
 *
 * @param {string} root
 * @throws {Error} when a file is missing or is not JSON; the message names the command that fixes it.
 */
export function readPackages(root) {
  try {
    const { packages, lockfileVersion } = readJson(join(root, 'package-lock.json'));
    if (lockfileVersion !== 3) throw new Error(`package-lock.json has version ${lockfileVersion}, not 3`);
    const { '': project, ...locked } = packages;
    return {
      root,
      project,
      /** By path: `node_modules/a/node_modules/b`. */
      locked,
      installed: readJson(join(root, 'node_modules/.package-lock.json')).packages,
      manifest: readJson(join(root, 'package.json')),
    };
  } catch (error) {
    throw new Error(`The packages cannot be read (${error.message}): run \`npm ci\`.`, { cause: error });
  }
}

/** Returns the package's name, from its path in the lock file; an alias has its own name there. */
export const nameOf = (path, { name } = {}) => name ?? path.slice(path.lastIndexOf('node_modules/') + 13);

/** Reads the installed package's own `package.json`; `undefined` when there is none. */
export function manifestOf(root, path) {
  const file = join(root, path, 'package.json');
  return existsSync(file) ? readJson(file) : undefined;
}
