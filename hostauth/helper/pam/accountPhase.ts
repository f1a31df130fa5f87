import { spawn } from 'node:child_process';

/** The helper program of pam_unix. */
export const UNIX_CHKPWD = '/usr/sbin/unix_chkpwd';

/** The longest that unix_chkpwd may take: it asks the name service, which may hang. */
const LIMIT_MS = 5000;

/** The exit codes of unix_chkpwd, which are PAM's. */
const ACCEPTED = 0;
const MUST_CHANGE = 12;
/** The account has expired, or its password so long ago (`chage --inactive`) that it cannot be changed any more. */
const EXPIRED: ReadonlySet<number | string> = new Set([13, 27]);

/** Whether an account may be used. `unknown`: unix_chkpwd could not run, or ended otherwise (`detail`). */
export type AccountUse =
  | { readonly kind: 'usable' | 'expired' | 'must-change' }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * Asks unix_chkpwd whether the account of a session may still be used: the result of `account required pam_unix.so`, without a sign-in.
 * @param limitMs it is killed after this time.
 */
export async function accountUse(
  username: string,
  helper: string,
  limitMs: number = LIMIT_MS,
): Promise<AccountUse> {
  const code = await exitCodeOf(helper, [username, 'chkexpiry'], limitMs);
  if (code === ACCEPTED) return { kind: 'usable' };
  if (code === MUST_CHANGE) return { kind: 'must-change' };
  if (EXPIRED.has(code)) return { kind: 'expired' };
  return { kind: 'unknown', detail: `${helper}: ${code}` };
}

/** Runs a program without a terminal: unix_chkpwd refuses to run on one. */
const exitCodeOf = (program: string, args: readonly string[], limitMs: number) =>
  new Promise<number | string>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: limitMs, killSignal: 'SIGKILL' });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'ended'));
  });

const WHOLE = /^\d+$/;

/**
 * Returns whether the entry in `/etc/shadow` plainly allows the use of an account: it never expires, and its password was changed
 * within the days for which it is valid. For all other accounts, and those of directories, unix_chkpwd decides.
 * @param today days since 1970, in UTC.
 */
export function isPlainlyUsable(shadow: string, username: string, today: number): boolean {
  const [entry, another] = shadow.split('\n').filter((line) => line.startsWith(`${username}:`));
  if (entry === undefined || another !== undefined) return false;
  const [, , changed = '', , lasts = '', , , expires] = entry.split(':');
  if (expires !== '' || !WHOLE.test(changed) || !WHOLE.test(lasts)) return false;
  const age = today - Number(changed);
  // Changed on day 0 means: must be changed now.
  return changed !== '0' && age >= 0 && age <= Number(lasts);
}
