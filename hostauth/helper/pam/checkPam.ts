import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UNIX_CHKPWD } from './accountPhase.ts';
import { loadPamBinding } from './pamBinding.ts';

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
