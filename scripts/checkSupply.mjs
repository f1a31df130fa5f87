/**
 * Checks our dependencies offline: their licenses, their install scripts, and that the installed packages equal the lock file.
 *
 *   node scripts/checkSupply.mjs [folder of the project]
 *
 * Prints one line for each fault on stderr. Exit status: 0 no fault, 1 a fault, 2 bad usage or packages that cannot be read.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { licenseFaults, manifestOf, nameOf, readPackages } from './packages.mjs';
import { runScript } from './runScript.mjs';

/** The packages whose install scripts may run; npm's `allowScripts` must also allow them. */
const ALLOWED = new Set(['authenticate-pam']);

const SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * Checks the packages of a project.
 *
 * @param {string | undefined} root the project's folder
 * @returns {{ faults: string[] }} one sentence for each
 * @throws {Error} when the packages cannot be read
 */
export function checkSupply(root = resolve(import.meta.dirname, '..')) {
  const packages = readPackages(root);
  return {
    faults: [...installedTreeFaults(packages), ...installScriptFaults(packages), ...licenseFaults(packages)],
  };
}

runScript(import.meta, {
  usage: 'node scripts/checkSupply.mjs [folder of the project]',
  script: checkSupply,
});

/**
 * Lists where the installed packages differ from the lock file: missing, additional, another version, another integrity
 * at install time, or another name or version on the disk. It does not detect
 * later changes inside a package: the hashes are those of its archive, which npm does not keep.
 *
 * @returns {string[]} one sentence for each.
 */
function installedTreeFaults({ root, locked, installed }) {
  const faults = [];
  for (const [path, entry] of Object.entries(locked)) {
    const found = installed[path];
    // npm leaves out a package for another system, and an optional one that failed to build.
    const mayBeMissing = entry.optional || entry.devOptional || entry.peer;
    if (found === undefined && !mayBeMissing) faults.push(`${path} is not installed.`);
    if (found !== undefined) faults.push(...differences(root, path, { entry, found }));
  }
  for (const path of Object.keys(installed))
    if (!(path in locked)) faults.push(`${path} is not in the lock file.`);
  for (const path of packagesOnDisk(root, 'node_modules')) {
    if (!(path in installed)) faults.push(`${path} is on the disk, but npm did not install it.`);
  }
  return faults;
}

function differences(root, path, { entry, found }) {
  if (found.version !== entry.version)
    return [`${path} is ${found.version}, not ${entry.version} as locked.`];
  if (found.integrity !== entry.integrity) return [`${path} was installed from another archive than locked.`];
  const onDisk = manifestOf(root, path);
  if (onDisk === undefined) return [`${path} has no package.json on the disk.`];
  const [is, should] = [`${onDisk.name}@${onDisk.version}`, `${nameOf(path, entry)}@${entry.version}`];
  return is === should ? [] : [`${path} is ${is} on the disk, not ${should} as locked.`];
}

/** Yields the paths of the packages in a `node_modules` folder and in those below it. */
function* packagesOnDisk(root, folder) {
  if (!existsSync(join(root, folder))) return;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith('@')) yield* scoped(root, path);
    else yield* packageAt(root, path);
  }
}

function* scoped(root, scope) {
  for (const entry of readdirSync(join(root, scope), { withFileTypes: true })) {
    if (entry.isDirectory()) yield* packageAt(root, `${scope}/${entry.name}`);
  }
}

function* packageAt(root, path) {
  if (existsSync(join(root, path, 'package.json'))) yield path;
  yield* packagesOnDisk(root, `${path}/node_modules`);
}

/** Returns whether npm would run a script, or node-gyp, when it installs this package. */
function hasInstallScript({ root, installed }, path, entry) {
  if (entry.hasInstallScript) return true;
  if (!(path in installed)) return false;
  const { scripts = {}, gypfile } = manifestOf(root, path) ?? {};
  const isNative = gypfile !== false && existsSync(join(root, path, 'binding.gyp'));
  return isNative || SCRIPTS.some((name) => name in scripts);
}

/**
 * Lists the packages with an install script that `allowScripts` in `package.json` does not decide on, or allows although
 * it is not on our list.
 *
 * @returns {string[]} one sentence for each.
 */
function installScriptFaults(packages) {
  const { allowScripts = {} } = packages.manifest;
  const named = Object.entries(allowScripts)
    .filter(([name, may]) => may && !ALLOWED.has(name))
    .map(([name]) => `allowScripts lets ${name} run scripts, but it is not on the list.`);
  const undecided = Object.entries(packages.locked)
    .filter(([path, entry]) => hasInstallScript(packages, path, entry))
    .map(([path, entry]) => nameOf(path, entry))
    .filter((name) => typeof allowScripts[name] !== 'boolean')
    .map((name) => `${name} has an install script, and allowScripts does not name it.`);
  return [...named, ...new Set(undecided)];
}
