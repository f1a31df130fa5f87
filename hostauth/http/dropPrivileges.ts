import { readFileSync } from 'node:fs';
import { unprivilegedUser } from '../base/unprivilegedUser.ts';

/**
 * Makes a process that runs as root one of an unprivileged user, for good: no groups, no capabilities. Does nothing when
 * the process is not root.
 * @throws when root's rights are not gone afterwards.
 */
export function dropPrivileges(): void {
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid?.() !== 0 || setgroups === undefined || setgid === undefined || setuid === undefined) return;
  const { uid, gid } = unprivilegedUser(readFileSync('/etc/passwd', 'utf8'));
  setgroups([]);
  setgid(gid);
  setuid(uid);
  if (canBecomeRoot()) throw new Error('the rights of root are not gone');
}

function canBecomeRoot(): boolean {
  try {
    process.setuid?.(0);
    return true;
  } catch {
    return process.getuid?.() === 0 || process.geteuid?.() === 0;
  }
}
