import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../base/errors.ts';
import { UNIX_CHKPWD } from './accountPhase.ts';
import type { PamOutcome } from './pamMessages.ts';

/** What PAM did. */
export interface PamResult {
  /** PAM's code; 0 when it accepts the sign-in. */
  readonly code: number;
  /** The step that gave the code. */
  readonly step: 'start' | 'authenticate' | 'account';
  /** Texts of its modules for the user: at most 16 of 512 bytes. */
  readonly messages: readonly string[];
  /** The prompt that was refused, because it is not the one for the password. */
  readonly prompt?: string;
}

/** The used part of authenticate-pam, with our patch. */
interface PamBinding {
  /** @param done its error is PAM's message when the sign-in is refused. @throws {TypeError} for a text with NUL. */
  authenticate(
    username: string,
    password: string,
    done: (error: string | undefined, result: PamResult) => void,
    options: { readonly serviceName: string; readonly remoteHost: string },
  ): void;
}

const pamBinding = z.object({
  authenticate: z.custom<PamBinding['authenticate']>((value) => typeof value === 'function'),
  // Set by the patch.
  conversation: z.literal(2),
});

/** Loads authenticate-pam. @throws when it is not installed (it is optional), was built for another Node, or lacks our patch. */
export function loadPamBinding(load: (name: string) => unknown = createRequire(import.meta.url)): PamBinding {
  const { data } = pamBinding.safeParse(load('authenticate-pam'));
  if (data === undefined) throw new Error('authenticate-pam is built without the patch of this project');
  return data;
}

type RefusalReason = Extract<PamOutcome, { kind: 'refused' }>['reason'];

/** The reasons of Linux-PAM's codes, unless the step decides. */
const REASONS: Readonly<Record<number, RefusalReason>> = {
  // PERM_DENIED: by rules of access, such as the time of day or too many sessions.
  6: 'denied',
  // MAXTRIES.
  11: 'locked',
  // NEW_AUTHTOK_REQD.
  12: 'must-change',
  // ACCT_EXPIRED.
  13: 'expired',
  // CRED_EXPIRED.
  16: 'expired',
  // CONV_ERR.
  19: 'prompt',
  // AUTHTOK_EXPIRED: the password expired so long ago that it cannot be changed.
  27: 'expired',
};
/** PAM, or what it asks, did not work: OPEN_ERR to BUF_ERR, AUTHINFO_UNAVAIL, TRY_AGAIN, ABORT, MODULE_UNKNOWN and others. */
const UNAVAILABLE: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 9, 15, 18, 22, 24, 26, 28, 29, 30, 31]);

/** The text of pam_faillock, whose code is that of a wrong password. */
const LOCKED = /^The account is locked due to \d+ failed logins/;

/** In characters: the detail has to fit into a message to the helper, also when each of them is escaped. */
const MAX_DETAIL_LENGTH = 500;

/** Returns the outcome of a sign-in. Texts of modules that contain the password are left out. */
export function outcomeOf(
  result: PamResult,
  { error = '', password }: { readonly error?: string | undefined; readonly password: string },
): PamOutcome {
  const { code, step, messages, prompt } = result;
  if (code === 0) return { kind: 'accepted' };
  const question = prompt === undefined ? [] : [`PAM asks for more than one password: ${prompt}`];
  const texts = [...question, ...messages].filter((text) => !text.includes(password));
  const detail = [...texts, error].join('; ').slice(0, MAX_DETAIL_LENGTH);
  // This does not depend on the credentials. For what comes later, the answer must be that for a wrong password.
  if (step === 'start') return { kind: 'unavailable', reason: 'pam', detail };
  return { kind: 'refused', reason: reasonOf(result), detail };
}

function reasonOf({ code, step, messages, prompt }: PamResult): RefusalReason {
  if (prompt !== undefined) return 'prompt';
  if (UNAVAILABLE.has(code)) return 'unavailable';
  const reason = REASONS[code];
  if (reason !== undefined) return reason;
  if (step === 'account') return 'account';
  return messages.some((text) => LOCKED.test(text)) ? 'locked' : 'credentials';
}

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
    return `the PAM binding is not usable (${fault}): run \`sudo apt-get install -y libpam0g-dev build-essential python3 && npm ci && node scripts/setup.mjs --pam\``;
  }
}
