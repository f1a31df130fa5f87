import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../base/errors.ts';
import { UNIX_CHKPWD } from './accountPhase.ts';

/** The used part of authenticate-pam. It checks none of these types: all must be strings. */
interface PamBinding {
  /** @param done called with PAM's message when the sign-in is refused, with nothing when it is accepted. */
  authenticate(
    username: string,
    password: string,
    done: (error: string | undefined) => void,
    options: { readonly serviceName: string; readonly remoteHost: string },
  ): void;
}

const pamBinding = z.object({
  authenticate: z.custom<PamBinding['authenticate']>((value) => typeof value === 'function'),
});

/** Loads authenticate-pam. @throws when it is not installed (it is optional), or was built for another Node. */
export const loadPamBinding = (): PamBinding =>
  pamBinding.parse(createRequire(import.meta.url)('authenticate-pam'));

/** From dlfcn.h: the library stays loaded when it is closed. Node has no name for it. */
const RTLD_NODELETE = 0x1000;

/** The modules of the shipped PAM file, and those of Debian's `other`: PAM loads all of both files for each sign-in. */
const MODULES = ['nologin', 'succeed_if', 'faillock', 'unix', 'deny', 'permit', 'cap', 'systemd'];

/** The folder of libpam, in the list of mapped files. It contains the folder of the modules. */
const LIBPAM = /\s(\/\S+)\/libpam\.so\.0/;

/**
 * Loads PAM's modules, with the libraries that they need. Otherwise PAM loads and unloads them for each sign-in, which takes
 * two or three milliseconds of about forty. A module that this host does not have is skipped. Call it after
 * `loadPamBinding`. Updated modules are not used until the process is replaced.
 */
export function keepModulesLoaded(): void {
  const folder = LIBPAM.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1];
  if (folder === undefined) return;
  for (const module of MODULES) loadLibrary(join(folder, 'security', `pam_${module}.so`));
}

/** Node's loader throws for each of them: it loads a library, finds that it is not an addon, and closes it. */
function loadLibrary(library: string): void {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch (error) {
    if (errorCode(error) !== 'ERR_DLOPEN_FAILED') throw error;
  }
}

/** A plain file name. PAM itself converts names to lower case. */
const SERVICE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The options of `checkPam`. */
interface CheckPamOptions {
  readonly folder?: string;
  readonly helper?: string;
  /** Loads the PAM binding. @throws when it cannot be loaded. */
  readonly load?: () => unknown;
}

/**
 * Checks that sign-ins through a PAM service can work. Returns one line on what is missing, with the command that installs it;
 * `undefined` when nothing is. Without the file of the service, PAM would use the service `other`, which has other rules.
 */
export function checkPam(service: string, options: CheckPamOptions = {}): string | undefined {
  const { folder = '/etc/pam.d', helper = UNIX_CHKPWD, load = loadPamBinding } = options;
  if (!SERVICE.test(service)) {
    return `${JSON.stringify(service)} is not the name of a PAM service: small letters, digits, ".", "_" and "-"`;
  }
  const fault = checkBinding(load);
  if (fault !== undefined) return fault;
  if (!existsSync(join(folder, service))) {
    return `PAM has no service ${service} (${join(folder, service)} is missing): run \`sudo npm run hostauth -- install\`, which installs ours (hostauth)`;
  }
  if (!existsSync(helper)) {
    return `${helper}, which tells whether an account has expired, is missing: run \`sudo apt-get install -y libpam-modules-bin\``;
  }
  return undefined;
}

/** Checks the PAM binding. Returns one line when it cannot be loaded, with the command that builds it. */
export function checkBinding(load: () => unknown = loadPamBinding): string | undefined {
  try {
    load();
    return undefined;
  } catch (error) {
    // The first line: Node adds the list of importing modules.
    const fault = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `the PAM binding is not usable (${fault}): run \`sudo apt-get install -y libpam0g-dev build-essential python3 && npm ci\``;
  }
}
