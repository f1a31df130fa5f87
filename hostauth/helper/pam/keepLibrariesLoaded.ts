import { constants } from 'node:os';
import { errorCode } from '../../base/errorCode.ts';

/** From dlfcn.h: the library stays loaded when it is closed. Node has no name for it. */
const RTLD_NODELETE = 0x1000;

/** The libraries that PAM's modules need on Debian. */
const LIBRARIES = ['libcrypt.so.1', 'libselinux.so.1', 'libcap.so.2'];

/**
 * Loads the libraries that PAM's modules need. Otherwise PAM loads and unloads them for each sign-in, which takes one or two
 * milliseconds of about forty. A library that this host does not have is skipped.
 */
export function keepLibrariesLoaded(): void {
  for (const library of LIBRARIES) load(library);
}

/** Node's loader throws for each of them: it loads a library, finds that it is not an addon, and closes it. */
function load(library: string): void {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch (error) {
    if (errorCode(error) !== 'ERR_DLOPEN_FAILED') throw error;
  }
}
