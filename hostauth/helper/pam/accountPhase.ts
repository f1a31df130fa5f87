import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { PamOutcome } from './authenticator.ts';
import { isPlainlyUsable } from './plainAccount.ts';

/** PAM's own helper, in every system that has pam_unix. */
export const UNIX_CHKPWD = '/usr/sbin/unix_chkpwd';

const SHADOW = '/etc/shadow';
const DAY_MS = 86_400_000;
/** The longest that unix_chkpwd may take: it asks the name service, which may hang. */
const LIMIT_MS = 5000;

/** PAM's codes, which unix_chkpwd exits with. */
const ACCEPTED = 0;
const MUST_CHANGE = 12;
const EXPIRED = 13;

/** Whether an account may be used; `unknown`: unix_chkpwd could not be asked, or gave another answer (`detail`). */
export type AccountUse =
  | { readonly kind: 'usable' | 'expired' | 'must-change' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** The current day, as shadow counts: in days since 1970, in UTC. */
export const shadowDay = (): number => Math.floor(Date.now() / DAY_MS);

/**
 * The account phase, which authenticate-pam leaves out: whether an account whose password was right may be used at all.
 * The helper answers that for pam_unix, so what it says is what `account required pam_unix.so` would have said. It is
 * not asked of accounts about which there is nothing to say: starting it takes a tenth of what PAM takes.
 */
export async function accountPhase(username: string, helper: string): Promise<PamOutcome> {
  if (isPlainlyUsable(shadow(), username, shadowDay())) return { kind: 'accepted' };
  const use = await accountUse(username, helper);
  if (use.kind === 'usable') return { kind: 'accepted' };
  if (use.kind === 'unknown') return { kind: 'refused', reason: 'account', detail: use.detail };
  return { kind: 'refused', reason: use.kind, detail: `${helper}: ${use.kind}` };
}

/** Asks unix_chkpwd whether an account may be used. @param limitMs it is killed after so long. */
export async function accountUse(
  username: string,
  helper: string,
  limitMs: number = LIMIT_MS,
): Promise<AccountUse> {
  const code = await exitCodeOf(helper, [username, 'chkexpiry'], limitMs);
  if (code === ACCEPTED) return { kind: 'usable' };
  if (code === MUST_CHANGE) return { kind: 'must-change' };
  if (code === EXPIRED) return { kind: 'expired' };
  return { kind: 'unknown', detail: `${helper}: ${code}` };
}

/** Empty for those who may not read it; then the helper, which may, is asked. */
function shadow(): string {
  try {
    return readFileSync(SHADOW, 'utf8');
  } catch {
    return '';
  }
}

/** Its standard input is not a terminal, or it would take itself for a person's plaything and refuse. */
const exitCodeOf = (program: string, args: readonly string[], limitMs: number) =>
  new Promise<number | string>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: limitMs, killSignal: 'SIGKILL' });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'ended'));
  });
