import { createRequire } from 'node:module';
import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../base/errors.ts';

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
  for (const module of MODULES) load(join(folder, 'security', `pam_${module}.so`));
}

/** Node's loader throws for each of them: it loads a library, finds that it is not an addon, and closes it. */
function load(library: string): void {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch (error) {
    if (errorCode(error) !== 'ERR_DLOPEN_FAILED') throw error;
  }
}
