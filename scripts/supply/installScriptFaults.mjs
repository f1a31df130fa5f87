import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, nameOf } from './readPackages.mjs';

/** The packages whose install scripts may run; npm's `allowScripts` must also allow them. */
const ALLOWED = new Set(['authenticate-pam']);

const SCRIPTS = ['preinstall', 'install', 'postinstall'];

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
export function installScriptFaults(packages) {
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
