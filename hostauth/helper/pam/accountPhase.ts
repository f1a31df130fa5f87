import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SignInOutcome } from './authenticator.ts';
import { isPlainlyUsable } from './plainAccount.ts';

/** PAM's own helper, in every system that has pam_unix. */
export const UNIX_CHKPWD = '/usr/sbin/unix_chkpwd';

const SHADOW = '/etc/shadow';
const DAY_MS = 86_400_000;

/** PAM's codes, which the helper exits with. */
const ACCEPTED = 0;
const MUST_CHANGE = 12;
const EXPIRED = 13;

/**
 * The account phase, which authenticate-pam leaves out: whether an account whose password was right may be used at all.
 * The helper answers that for pam_unix, so what it says is what `account required pam_unix.so` would have said. It is
 * not asked of accounts about which there is nothing to say: starting it takes a tenth of what PAM takes.
 */
export async function accountPhase(username: string, helper: string): Promise<SignInOutcome> {
  if (isPlainlyUsable(shadow(), username, Math.floor(Date.now() / DAY_MS))) return { kind: 'accepted' };
  const code = await exitCodeOf(helper, [username, 'chkexpiry']);
  if (code === ACCEPTED) return { kind: 'accepted' };
  const detail = `${helper}: ${code}`;
  if (code === MUST_CHANGE) return { kind: 'refused', reason: 'must-change', detail };
  if (code === EXPIRED) return { kind: 'refused', reason: 'expired', detail };
  return { kind: 'refused', reason: 'account', detail };
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
const exitCodeOf = (program: string, args: readonly string[]) =>
  new Promise<number | string>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'ended'));
  });
