import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UNIX_CHKPWD } from './accountPhase.ts';
import { loadPamBinding } from './pamBinding.ts';

/** A file's name and nothing else; PAM itself makes small letters of large ones. */
const SERVICE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export interface CheckPamOptions {
  readonly folder?: string;
  readonly helper?: string;
  /** @throws if it is not there. */
  readonly load?: () => unknown;
}

/**
 * One line on what sign-ins through a PAM service would miss, with the command that mends it; undefined if nothing is
 * missing. Without its file PAM would quietly take the service `other`, whose rules are somebody else's.
 */
export function checkPam(service: string, options: CheckPamOptions = {}): string | undefined {
  const { folder = '/etc/pam.d', helper = UNIX_CHKPWD, load = loadPamBinding } = options;
  if (!SERVICE.test(service)) {
    return `${JSON.stringify(service)} is not the name of a PAM service: small letters, digits, ".", "_" and "-"`;
  }
  const fault = checkBinding(load);
  if (fault !== undefined) return fault;
  if (!existsSync(join(folder, service))) {
    return `PAM has no service ${service} (${join(folder, service)} is missing): \`sudo npm run hostauth -- install\` puts ours, hostauth, in place`;
  }
  if (!existsSync(helper)) {
    return `${helper}, which tells whether an account has expired, is missing: run \`sudo apt-get install -y libpam-modules-bin\``;
  }
  return undefined;
}

/** One line on a PAM binding that cannot be loaded, with the command that builds it. */
export function checkBinding(load: () => unknown = loadPamBinding): string | undefined {
  try {
    load();
    return undefined;
  } catch (error) {
    // The first line: Node adds the whole list of modules that asked for it.
    const fault = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `the PAM binding is not usable (${fault}): run \`sudo apt-get install -y libpam0g-dev build-essential python3 && npm ci\``;
  }
}
