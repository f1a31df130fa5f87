import { closeSync, readFileSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

/** The user of the HTTP process, if the host has it. */
const SERVICE_USER = 'hostauth';
/** Exists on every Debian and owns nothing. */
const NOBODY = 'nobody';

/**
 * Returns the ids of `hostauth`, or of `nobody` where there is no `hostauth`.
 * @param passwd the text of /etc/passwd.
 * @throws when neither exists.
 */
export function unprivilegedUser(passwd: string): { readonly uid: number; readonly gid: number } {
  const matches = [SERVICE_USER, NOBODY].map((name) =>
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd),
  );
  const [, uid, gid] = matches.find((match) => match !== null) ?? [];
  const ids = { uid: Number(uid), gid: Number(gid) };
  // Refuses NaN, too.
  if (!(ids.uid > 0 && ids.gid > 0)) throw new Error(`there is no user ${SERVICE_USER} or ${NOBODY}`);
  return ids;
}

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

/** The flag with which Node opens all of its own files: closed when another program starts. Octal, as in /proc. */
const CLOSE_ON_EXEC = 0o2000000;
const STDERR = 2;

/**
 * Closes files that the process inherited, such as those that root had open, except its standard streams and the socket to
 * the helper. Node itself closes them only up to the first gap between their numbers.
 * @param helperFd the number of that socket, if there is one.
 */
export function closeInheritedFiles(helperFd: number | undefined): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > STDERR && fd !== helperFd && isInherited(fd)) closeSync(fd);
  }
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The file by which the folder was listed is closed already.
    return false;
  }
}

/** Of util-linux, which every Debian has. */
const PRLIMIT = '/usr/bin/prlimit';

/**
 * Forbids core files, which would contain passwords, of this process and of those that it starts later. Node has no
 * `setrlimit`.
 * @throws when prlimit is missing.
 */
export function forbidCoreFiles(): void {
  execFileSync(PRLIMIT, [`--pid=${process.pid}`, '--core=0:0'], { stdio: 'ignore' });
}
