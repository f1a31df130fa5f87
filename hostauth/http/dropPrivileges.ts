import { readFileSync } from 'node:fs';
import { unprivilegedUser } from '../base/unprivilegedUser.ts';

/**
 * Makes a process of root a process of an unprivileged user, irreversibly: no groups, no capabilities. Does nothing when
 * the process is not root.
 * @throws when the process can still become root.
 */
export function dropPrivileges(): void {
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid?.() !== 0 || setgroups === undefined || setgid === undefined || setuid === undefined) return;
  const { uid, gid } = unprivilegedUser(readFileSync('/etc/passwd', 'utf8'));
  setgroups([]);
  setgid(gid);
  setuid(uid);
  if (canBecomeRoot()) throw new Error('the process could not drop the rights of root');
}

function canBecomeRoot(): boolean {
  try {
    process.setuid?.(0);
    return true;
  } catch {
    return process.getuid?.() === 0 || process.geteuid?.() === 0;
  }
}
