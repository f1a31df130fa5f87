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
      locked: withoutWorkspaces(locked),
      installed: withoutWorkspaces(readJson(join(root, 'node_modules/.package-lock.json')).packages),
      manifest: readJson(join(root, 'package.json')),
    };
  } catch (error) {
    throw new Error(`The packages cannot be read (${error.message}): run \`npm ci\`.`, { cause: error });
  }
}

/** Leaves out our own packages: their folders, and the links to them. */
export const withoutWorkspaces = (packages) =>
  Object.fromEntries(
    Object.entries(packages).filter(([path, { link }]) => link !== true && path.includes('node_modules/')),
  );

/** Returns the package's name, from its path in the lock file; an alias has its own name there. */
export const nameOf = (path, { name } = {}) => name ?? path.slice(path.lastIndexOf('node_modules/') + 13);

/** Reads the installed package's own `package.json`; `undefined` when there is none. */
export function manifestOf(root, path) {
  const file = join(root, path, 'package.json');
  return existsSync(file) ? readJson(file) : undefined;
}

/** Licenses that shipped packages may have: they require a notice at most. */
const SHIPPED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Zlib',
]);

/** Licenses of tools that we use and do not ship. */
const DEVELOPMENT = new Set([...SHIPPED, 'CC-BY-4.0', 'MPL-2.0', 'Python-2.0', 'WTFPL']);

/** The licenses of packages that do not name one in `package.json`, from their source files. */
const UNNAMED = { 'authenticate-pam@1.0.5': 'MIT' };

/** Returns the license of a package as an SPDX expression; `undefined` when it names none. */
export const licenseOf = (path, entry) => entry.license ?? UNNAMED[`${nameOf(path, entry)}@${entry.version}`];

/** Returns whether one alternative of an SPDX expression is allowed. Rejects expressions with nested brackets. */
function isAllowed(expression, allowed) {
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((id) => allowed.has(id)));
}

/**
 * Lists the packages whose license is not allowed, not named, or not the one that the lock file names.
 *
 * @returns {string[]} one sentence for each.
 */
export function licenseFaults({ root, locked, installed }) {
  return Object.entries(locked).flatMap(([path, entry]) => {
    const id = `${nameOf(path, entry)}@${entry.version}`;
    const license = licenseOf(path, entry);
    if (license === undefined) return [`${id} names no license.`];
    // `devOptional`: for development, and a peer that those who use our package install themselves; npm marks their builds for other systems `optional`.
    const isTool = entry.dev || entry.devOptional || (entry.optional && entry.os !== undefined);
    const use = isTool ? 'development' : 'shipping';
    if (!isAllowed(license, isTool ? DEVELOPMENT : SHIPPED)) {
      return [`${id} has the license ${license}, which is not on the list for ${use}.`];
    }
    const onDisk = path in installed ? manifestOf(root, path)?.license : undefined;
    const isOther = typeof onDisk === 'string' && entry.license !== undefined && onDisk !== entry.license;
    return isOther ? [`${id} has the license ${onDisk}, but the lock file says ${entry.license}.`] : [];
  });
}
